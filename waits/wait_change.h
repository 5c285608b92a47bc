/* wait_change.h - which waits differ between two runs, and how sure that is.
 *
 *     A   worker --- 61 % (58 .. 64) ---> log-writer
 *     B   worker --- 22 % (19 .. 25) ---> log-writer      -39 points (-43 .. -35): surely
 *
 * Edges are matched by what their groups are called. The change is that of the raw share; its
 * interval is made of the two runs' jackknifes, which are independent (stats/jackknife.h): the
 * squares of the errors add up, and t has the degrees of freedom of the run with fewer windows, at
 * which Welch's never are. Of all edges that count in one of the runs those are named that differ by
 * Holm's procedure (1979): if nothing has changed, any is named in at most one of 20 comparisons.
 */
#ifndef WAITS_WAIT_CHANGE_H
#define WAITS_WAIT_CHANGE_H

#include <stdbool.h>

#include "waits/wait_graph.h"

/* A smaller change is not named, however sure it is (chosen). */
#define WAIT_CHANGE_LEAST 0.001
#define WAIT_CHANGE_OUTSIDE 0.05

/* A side has no such edge, or no such group. */
#define WAIT_NONE UINT32_MAX

struct wait_side {
    const struct wait_graph *graph;
    const struct cascade *cascade;
    const bool *counts; /* by edge */
};

struct wait_change {
    uint32_t edge[2];        /* of A's and of B's graph, or WAIT_NONE */
    uint32_t from[2], to[2]; /* groups, or WAIT_NONE */
    double share[2];         /* raw; of an edge that is not there 0 */
    double change, ci95[2];  /* B's less A's; infinite where a side has too few windows */
    double error;            /* standard */
    bool surely;
};

struct wait_changes {
    struct wait_change *items; /* those that surely changed first, then the largest change first */
    uint32_t count, changed;
    unsigned freedom; /* of t; 0: a side has too few windows to tell anything */
};

void wait_changes_find(struct wait_changes *changes, const struct wait_side sides[2]);
void wait_changes_release(struct wait_changes *changes);

#endif
