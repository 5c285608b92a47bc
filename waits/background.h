/* background.h - groups that wait, and that nobody has to mind: they are set aside, and the search goes on.
 *
 *     heartbeat --- 99 % ---> timer          nobody waits for heartbeat, and it runs for 0.1 %
 *     janitor <---> flusher                  a knot that nobody else waits behind, and that runs for 3 %
 *
 * wPerf's rule (OSDI'18, 3.3): a knot without a device or client whose threads together have less than one
 * processor is of threads that sleep often, as background ones do. Here, too, no group of the run may wait
 * behind it; and all that is set aside has less than half of what the run's threads ran: what does most of the
 * work is not beside it. So that one that sleeps need not be in a circle, one whose longest wait is for a
 * timer is looked at by itself. Those that run least are set aside first.
 */
#ifndef WAITS_BACKGROUND_H
#define WAITS_BACKGROUND_H

#include "waits/knot.h"
#include "waits/running.h"

enum background_reason { BACKGROUND_SLEEPS, BACKGROUND_KNOT };

struct background_part {
    uint32_t *groups;
    uint32_t group_count;
    enum background_reason reason;
    double ran; /* its threads together, of one processor */
};

struct background {
    struct background_part *parts;
    size_t count, capacity;
};

/* `searched`, by edge of the graph, loses the edges of what is set aside. */
void background_find(struct background *background, const struct wait_graph *graph,
                     const struct running *running, time_ns recorded, bool *searched);
/* Those that were set aside are true; of the others nothing is changed. */
void background_mark(const struct background *background, bool *groups);
void background_release(struct background *background);

#endif
