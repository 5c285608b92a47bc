/* waits.h - which waiting caps the throughput of a run: the graph of who waits for whom, and its knots.
 *
 *     struct waits *waits = waits_find(run, &error);
 *     ... waits->graph, waits->knots ...
 *     waits_release(waits);
 */
#ifndef WAITS_WAITS_H
#define WAITS_WAITS_H

#include "base/error.h"
#include "symbol/process_role.h"
#include "waits/arrival.h"
#include "waits/background.h"
#include "waits/by_request.h"
#include "waits/edge_stacks.h"
#include "waits/group_times.h"
#include "waits/knot_support.h"
#include "waits/replay.h"
#include "waits/run_queue.h"
#include "waits/running.h"
#include "waits/spin_doubt.h"
#include "waits/swept_list.h"

struct waits {
    struct vertex_table vertices;
    struct wait_list list;
    struct wait_list swept; /* as the cascade has them, where that differs (swept_list.h) */
    struct short_lived shorts;
    uint64_t in_vain; /* wakes that were, and that are no end of a wait in the cascade */
    struct cascade cascade;
    struct device_idle idle;
    struct wait_graph graph;
    bool *counts; /* by edge of the graph: it is surely above EDGE_LEAST */
    struct arrivals arrivals;
    struct background background;
    struct knot_list knots; /* of what is left: without waits for a client, and the background */
    double *support;        /* by edge (knot_support.h) */
    struct run_queue queue;
    struct group_time *times; /* by group */
    bool wakers_known; /* false: of the threads' own switches alone it is not known who woke them */
    struct sampled_names *names; /* of stacks; NULL: none were recorded */
    struct process_roles roles;
    struct edge_stacks stacks;
    struct run_stacks run_stacks;
    struct spin_doubts spins;
    struct running running;
    struct by_request requests; /* none of them where the run has no intervals */
    struct replays replays;
};

/* The run is borrowed. NULL and ERROR_NOTHING: who woke whom was not recorded. */
struct waits *waits_find(const struct timelines *run, struct error *error);
/* What the run's intervals waited for, or those of a type, and what waits are worth. False and an error
 * where it has none of that type. */
bool waits_by_request(struct waits *waits, const struct timelines *run, const char *type,
                      struct error *error);
/* NULL where the laws hold, else which does not. */
const char *waits_check(const struct waits *waits);
void waits_release(struct waits *waits);

#endif
