/* socket_calls.h - system calls by which a program reads from sockets and answers, as perf events tell.
 *
 *     socket_calls_layout(&layout, tracefs, &error)        where this kernel has number and result
 *     socket_calls_filter(way, &filter)                which of them
 *     socket_call_of(&call, &layout, way, raw, bytes, argument)
 *
 * raw_syscalls:sys_exit tells what was read, written, accepted, connected and closed, where the register
 * of the first argument still has the descriptor; sys_enter when a thread begins to write, or to wait for
 * many descriptors. They are filtered in the kernel. Opened, they cost each system call of the machine
 * some tens of ns.
 */
#ifndef SAMPLER_SOCKET_CALLS_H
#define SAMPLER_SOCKET_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "trace/trace_format.h"

enum socket_way { SOCKET_ENTERS, SOCKET_EXITS, SOCKET_WAYS };

struct socket_layout {
    uint64_t ids[SOCKET_WAYS]; /* of the tracepoints */
    int numbers[SOCKET_WAYS];  /* where the record has the system call's number */
    int arguments;             /* where ENTERS has the first one */
    int result;                /* where EXITS has it */
};

struct socket_call {
    enum trace_point_role role;
    uint32_t descriptor;
    int64_t result;
    bool is_socket; /* only sockets have such a call; else it may be a file's */
};

/* False: this kernel or machine cannot tell; ERROR_SYSTEM. */
bool socket_calls_layout(struct socket_layout *layout, struct error *error);
/* The filter of the tracepoint. */
void socket_calls_filter(enum socket_way way, struct str *filter);
/* Which one register must come with the record (perf_event_attr.sample_regs_user). */
extern const uint64_t socket_call_registers;
/* Of a tracepoint's record, and that register; NULL: it did not come. False: the call is none of
 * interest. */
bool socket_call_of(struct socket_call *call, const struct socket_layout *layout,
                    enum socket_way way, const char *raw, size_t bytes, const uint64_t *argument);

#endif
