/* knot_search.h - the knots of a run: of its edges, those that may lie in one, and how sure that is.
 *
 *     all edges - waits for a client - what is set aside as background     -> knots
 *     the same, with what is not sure to count, in other windows           -> support
 *
 *     struct knot_search search = {&graph, &cascade, &arrivals, &running, counts, recorded};
 *     knot_search_run(&search, &background, &knots, &support);      the caller's to release
 */
#ifndef WAITS_KNOT_SEARCH_H
#define WAITS_KNOT_SEARCH_H

#include "waits/arrival.h"
#include "waits/background.h"
#include "waits/knot_support.h"

/* Borrowed. */
struct knot_search {
    const struct wait_graph *graph;
    const struct cascade *cascade;
    const struct arrivals *arrivals;
    const struct running *running;
    const bool *counts; /* by edge: it is surely above EDGE_LEAST */
    time_ns recorded;
};

/* *support, by edge, is as knot_support.h has it. */
void knot_search_run(const struct knot_search *search, struct background *background,
                     struct knot_list *knots, double **support);

#endif
