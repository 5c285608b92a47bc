/* unwinder.h - the calls that a thread was in, from its registers and a copy of its stack.
 *
 *     registers, stack  ->  futex_wait, pthread_mutex_lock, take_order, serve, start_thread, clone
 *
 * By the .eh_frame of the process's objects (unwind_object.h), which compilers emit for every
 * function: neither frame pointers nor debug information is needed. Code that a program makes as it
 * runs has none; there the way goes by frame pointers. The process is not stopped; its maps are read,
 * and once more where an address lies in none of them.
 */
#ifndef SAMPLER_UNWINDER_H
#define SAMPLER_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/object_set.h"

/* A thread in user space, as the kernel's sample has it. */
struct unwinder_thread {
    const uint64_t *registers; /* those of unwind_asked, by the kernel's numbers */
    const char *stack;         /* from the stack pointer on */
    size_t stack_bytes;
    bool foreign;     /* it runs a program of 32 bits */
    uint64_t time_ns; /* CLOCK_MONOTONIC: when that was; 0: before all that is known of its maps */
    /* Where calls return to whose return address the kernel has replaced (return_memory.h), and of which thread;
     * NULL: nothing is known of that. Borrowed. */
    const struct return_memory *returns;
    uint32_t tid;
};

struct unwinder; /* of one process */

/* Borrows the set, in which the process's objects are, and which counts how far stacks were
 * followed. */
struct unwinder *unwinder_open(struct object_set *objects, pid_t pid);
/* Gives the number of addresses, the innermost first, as the process's maps tell them; those of callers lie within the call.
 * *cut: why they do not go back to where the thread began. */
size_t unwinder_walk(struct unwinder *unwinder, const struct unwinder_thread *thread,
                     uint64_t *addresses, size_t most, enum trace_cut *cut);
/* Its maps change when something is mapped, or another program takes the process over. */
struct process_maps *unwinder_maps(struct unwinder *unwinder);
/* Addresses in memory of no file that were given: as they were told -> as they were. */
const struct hash_map *unwinder_generated(const struct unwinder *unwinder);
void unwinder_close(struct unwinder *unwinder);

#endif
