/* unwinder.h - the calls that a thread was in, from its registers and a copy of its stack.
 *
 *     registers, stack  ->  futex_wait, pthread_mutex_lock, take_order, serve, start_thread, clone
 *
 * By the .eh_frame of the process's objects, which compilers emit for every function: neither frame
 * pointers nor debug information is needed. The process is not stopped; its maps are read, once more
 * where an address lies in none of them.
 */
#ifndef SAMPLER_UNWINDER_H
#define SAMPLER_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"

/* Which registers the kernel is asked for, as perf_event_attr.sample_regs_user; 0: on this machine
 * none can be unwound. */
extern const uint64_t unwinder_registers;

/* A thread in user space, as the kernel's sample has it. */
struct unwinder_thread {
    const uint64_t *registers; /* those that were asked for, by their numbers */
    const char *stack;         /* from the stack pointer on */
    size_t stack_bytes;
};

/* The first argument of the system call that the thread is in. */
uint64_t unwinder_argument(const struct unwinder_thread *thread);

struct unwinder; /* of one process */

struct unwinder *unwinder_open(pid_t pid);
/* Gives the number of addresses, the innermost first; those of callers lie within the call. *whole:
 * they go back to where the thread began. */
size_t unwinder_walk(struct unwinder *unwinder, const struct unwinder_thread *thread,
                     uint64_t *addresses, size_t most, bool *whole);
/* The process's maps as they were last read, or "". */
const char *unwinder_maps(const struct unwinder *unwinder);
/* Reads them anew, where the process is still there. */
void unwinder_read_maps(struct unwinder *unwinder);
void unwinder_close(struct unwinder *unwinder);

#endif
