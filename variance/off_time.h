/* off_time.h - whose a thread's time without a processor is, where nobody of the run had it.
 *
 *     serve / fsync      |-- blocked: disk --|-- runnable --|      below fsync:
 *                       lo                 woken            hi
 *                                                                  disk vda (write)
 *                                                                  waiting for a processor / backup
 *                                                                  wake-up latency: it was idle
 *
 * Every ns of [lo, hi] is added to one node of the table's open row. A thread whose scheduling was
 * not recorded has a wake-up latency alone.
 */
#ifndef VARIANCE_OFF_TIME_H
#define VARIANCE_OFF_TIME_H

#include "symbol/callee_table.h"
#include "trace/off_cpu.h"
#include "variance/interval_table.h"

/* The callees are those of waits. */
struct off_time {
    const struct timelines *run;
    struct callee_table *callees;
    struct interval_table *table;
    uint32_t wake_up, unknown_waker, gave_up, processor, preempted;
};

void off_time_init(struct off_time *o, const struct timelines *run, struct callee_table *callees,
                   struct interval_table *table);
/* The thread was let go on at `lo`: until it ran again it was runnable, then it came back from its
 * call. `off` is the last in its block, or NULL. */
void off_time_latency(const struct off_time *o, const struct timeline_thread *thread, uint32_t call,
                      const struct off_cpu *off, time_ns lo, time_ns hi);
/* The part [lo, hi] of a block that nobody of the run ended: what did, as far as it is known. */
void off_time_unwoken(const struct off_time *o, const struct timeline_thread *thread, uint32_t call,
                      const struct block *block, const struct off_cpu *off, time_ns lo, time_ns hi);

#endif
