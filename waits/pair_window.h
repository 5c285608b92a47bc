/* pair_window.h - the stretches of a run in which one is best seen waiting for another.
 *
 *     run   |------|--1 waits-----for 2--|----|----------------------|
 *                        |  densest  |                |  typical  |
 *
 * Of an edge between groups, its two vertices are those of its longest waiting, together. The
 * densest window holds the most of it, the typical one as much as half of those that hold any, and
 * the longest one the longest single wait. A window in which more happens than can be seen is made
 * shorter.
 */
#ifndef WAITS_PAIR_WINDOW_H
#define WAITS_PAIR_WINDOW_H

#include "waits/wait_graph.h"

#define PAIR_WINDOW_NS INT64_C(200000000)

/* A picture has room for so many stretches of a thread (chosen). */
enum { PAIR_MOST_STRETCHES = 240 };

enum pair_window_kind { PAIR_TYPICAL, PAIR_DENSEST, PAIR_LONGEST, PAIR_WINDOWS };

struct pair_windows {
    uint32_t who, whom; /* vertices */
    time_ns from[PAIR_WINDOWS], until[PAIR_WINDOWS];
    time_ns waited[PAIR_WINDOWS]; /* of it, who waited for whom */
};

/* False where no wait of the edge is in the list. */
bool pair_windows_find(struct pair_windows *windows, const struct wait_graph *graph, uint32_t edge,
                       const struct cascade *cascade, const struct wait_list *list);

#endif
