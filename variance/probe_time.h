/* probe_time.h - of a row's own times, what probes took.
 *
 *     serve                 140        serve                140
 *       step   2000 calls    90          step                90
 *       (own)                50          [probes]            40     2000 x 20 ns
 *                                        (own)               10
 *
 * What a timed call costs outside of the time that is recorded of it (trace_format.h) is its
 * caller's own time. So as much as the calls below a node cost in a row is taken from what the node
 * has itself, and never more than that, and goes to a leaf of its own. Only where it is 1/128 of
 * the row's latency or more: less than that is nobody's cause, and most trees stay as they are. All
 * of it depends on the row alone, so that rows add up in any order.
 */
#ifndef VARIANCE_PROBE_TIME_H
#define VARIANCE_PROBE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/timeline.h"
#include "variance/path_sums.h"

enum { PROBE_TIME_LEAST = 128 };

struct probe_time {
    uint32_t callee;    /* of the leaves */
    uint64_t call_cost; /* of the open row's process, in ns * 2^-16 */
    bool any;           /* some process of the run has one */
    struct probe_group {
        uint64_t before; /* calls of all rows before */
        uint32_t family;
        uint8_t untimed; /* a bit for each lane that counts something else */
    } * groups;
    uint64_t *calls;    /* by family: of this row */
    uint32_t *families; /* that have some; room for all and one more */
    uint32_t *leaf_of;  /* by path, or 0 */
    uint32_t group_room, family_room, path_room;
};

void probe_time_release(struct probe_time *probes);
/* The path that was met last; before the first row, and after any other, too. `called`: its node is
 * a function's. */
void probe_time_meet(struct probe_time *probes, const struct path_sums *sums, uint32_t path,
                     bool called);

/* The probes of the calls below a path took so much in the open row. */
struct probe_cost {
    uint32_t path, calls;
    time_ns ns; /* no more than the row's latency */
};
/* The open row, which has all its times, has calls of so many families of paths; each of these has
 * its cost. False: it is too little. Each is asked for once. */
uint32_t probe_time_families(struct probe_time *probes, const struct path_sums *sums);
bool probe_time_of_family(struct probe_time *probes, const struct path_sums *sums, uint32_t index,
                          time_ns latency, struct probe_cost *cost);

#endif
