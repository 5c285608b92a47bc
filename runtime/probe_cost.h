/* probe_cost.h - what a timed call costs in this process, measured when it begins to record.
 *
 *     struct probe_cost cost = probe_cost_measure(&hooks_table);
 *     (double)cost.ticks / cost.calls                what a program is slower by for each
 *
 * A function that does nothing is called as often timed as not. The fastest of several tries of
 * each counts, because time that a program spends itself is not to be taken for its probes'. The
 * hooks themselves are called, and write into a window that is thrown away. No signal handler of
 * the thread comes in between, for some 20 us. errno is not kept.
 */
#ifndef RUNTIME_PROBE_COST_H
#define RUNTIME_PROBE_COST_H

#include "runtime/trace_file.h"

struct vprof_hooks_1;

/* The thread must have no log yet. NULL: there are no probes. */
struct probe_cost probe_cost_measure(const struct vprof_hooks_1 *table);

#endif
