/* replay.h - what a wait is worth: the run once more, without it.
 *
 *     recorded    B  runs 5 |-- disk 5 --| runs 5 |-- disk 5 --|        A waits for B, B for the disk
 *     replayed    B  runs 5 | runs 5 | ...                              without B's waits for the disk: x 2.0
 *
 * All times are worked out again, in the order in which things happened. A thread's clock is then
 * behind the recorded one by its shift: what it was spared so far, by itself and by whom it waited
 * for. With o the replayed moment at which a wait begins, it ends
 *     for a thread    when that thread comes to where it let it go on, o at the earliest
 *     for a disk      after as long as it took; or when the disk is through with it, if it serves one after
 *                     the other: in the recorded order, each for as long as from when it was issued, or
 *                     the one before done; the sooner of both
 *     for the network when it did: packets come at the recorded times, o at the earliest
 *     else            after as long as it took: a sleep is as long, and so is what nobody is known to
 *                     have ended, and what a thread of the kernel did, as one that writes back
 * and of the waits that are taken out, a part of that, or all, is left out, with what the thread then wanted a
 * processor for: who does not go need not come back.
 *
 * Held fixed: how long threads run, and want a processor; who lets whom go on, who had which lock
 * before whom, the order of all; when packets come. A thread begins when its maker made it, a task is
 * picked up after it was made, and none works for an interval before that began.
 *
 * So it is a bound and no promise. What was never waited for is not known, although it may be waited
 * for then: a message that was always there in time, a lock that was always free, a device's other
 * users. Fewer waits want more processors at a time: the speed-up is cut to what the processors that
 * these threads had can do if they never idle and the run's other threads have as much of them as they
 * had (`processors`).
 *
 * The run time of a thread ends where it only waits for others any more, who have nothing to do with what is
 * looked at: a server that is stopped after so long does no more for that.
 *
 * Laws, asserted in every run: without anything taken out, all times are the recorded ones, to the ns;
 * and nothing ever happens later. Cost: O(events) for each edge, and a sort.
 */
#ifndef WAITS_REPLAY_H
#define WAITS_REPLAY_H

#include "interval/row_list.h"
#include "waits/wait_graph.h"

#define REPLAY_MOST 10u /* edges */
/* A disk of whose waits more than this part overtake one that began before serves several at once. */
#define REPLAY_OVERTAKEN 0.01

/* The run without some waits. */
/* The speed-up is in intervals a second, from the first begin to the last end; without intervals, of
 * the run time of those threads that have to do with whose waits are taken out: who wait for them, or
 * they for, and so on. It is 1 at the least. */
struct replay_effect {
    double speedup;
    double mean_ns, p99_ns; /* of intervals */
    bool processors;        /* they would be the limit */
};

/* Waits of a group for another, or of its members for each other. */
struct replay_pair {
    uint32_t from, to; /* groups */
    uint32_t edge;     /* of the graph; REPLAY_WITHIN: the group's own */
};
#define REPLAY_WITHIN UINT32_MAX

struct replay {
    struct replay_pair pair;
    struct replay_effect gone, halved; /* all of its waits; half of each */
};

struct replays {
    struct replay *items; /* the largest speed-up first */
    uint32_t count;
    size_t intervals; /* 0: run times are compared */
    struct replay_effect as_it_was;
    time_ns unknown; /* the run's threads waited so long for what is not known */
    bool changed;    /* a replay of nothing gave other times: never */
    bool later;      /* a replay made something later: never */
};

struct replay_run {
    const struct timelines *run;
    const struct vertex_table *vertices;
    const struct wait_list *waits;
    const struct wait_graph *graph;
    const struct row_list *rows; /* intervals; may be none */
};

/* Of these pairs, REPLAY_MOST of them at the most. */
void replays_fill(struct replays *replays, const struct replay_run *run,
                  const struct replay_pair *pairs, uint32_t count);
void replays_release(struct replays *replays);
/* NULL where the laws hold, else which does not. */
const char *replays_check(const struct replays *replays);

#endif
