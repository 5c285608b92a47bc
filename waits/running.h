/* running.h - how long threads ran, and how alone.
 *
 *     thread 7   |====== runs ======|            |== runs ==|        ran 60     GAPP 20 + 20/2 + 20 = 50
 *     thread 8          |== runs ===|===|                            ran 30     GAPP 20/2 + 10      = 20
 *     of the run   1        2         1    0          1              at least one ran: 70
 *
 * GAPP's number (Nair and Field, ICPE'20): each moment is shared evenly by the run's threads that run in it.
 * What runs alone, while the others wait, counts most. All parts add up to the time in which at least one
 * ran. It says where a run is serial, not who is waited for: it is kept apart from what cascade.h tells.
 */
#ifndef WAITS_RUNNING_H
#define WAITS_RUNNING_H

#include "waits/wait_graph.h"

struct group_running {
    time_ns ran;
    double gapp_ns;
    struct wait_share share, gapp; /* of one member's time, on average; of the run's time */
};

struct running {
    struct group_running *groups; /* by group; only of those of the run */
    time_ns ran;                  /* all threads of the run together */
    time_ns active;               /* one at least */
    double gapp_ns;               /* all threads together */
};

void running_fill(struct running *running, const struct wait_graph *graph,
                  const struct cascade *cascade);
/* NULL where the parts add up, else what does not. */
const char *running_check(const struct running *running);
void running_release(struct running *running);

#endif
