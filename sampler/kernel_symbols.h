/* kernel_symbols.h - what the kernel was about, told by the functions of a call chain.
 *
 *     try_to_wake_up, sock_def_readable, tcp_rcv_established, ... process_backlog, net_rx_action,
 *     handle_softirqs, do_softirq, __local_bh_enable_ip, ... tcp_sendmsg
 *                               a soft interrupt in line with the thread that sent: THREAD
 *     blk_update_request, blk_done_softirq, handle_softirqs, irq_exit_rcu, ...
 *                               one that came in the thread's way, from a disk: SOFT, DISK
 */
#ifndef SAMPLER_KERNEL_SYMBOLS_H
#define SAMPLER_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/trace_format.h"

struct kernel_range;
struct kernel_symbols {
    struct kernel_range *ranges; /* the functions that tell something, by address */
    size_t count, capacity;
};

/* The kernel says where its functions are. If not (kptr_restrict): false and errno. */
bool kernel_symbols_readable(void);
/* Takes some 100 ms. */
void kernel_symbols_read(struct kernel_symbols *symbols);
void kernel_symbols_release(struct kernel_symbols *symbols);

/* Of a waking in `context` (SOFT or HARD), the innermost address first. */
struct kernel_cause {
    enum trace_context context;
    enum trace_interrupt interrupt;
};
struct kernel_cause kernel_symbols_cause(const struct kernel_symbols *symbols,
                                         enum trace_context context, const uint64_t *addresses,
                                         size_t count);

#endif
