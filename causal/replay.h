/* replay.h - what experiments tell, a second time: the run as it was recorded, with the target's time scaled.
 *
 *     recorded    A  runs 5, f 5 |releases   runs 5, f 5 ...          B waits for A
 *                 B  |---- blocked ----| runs 2 |---- blocked
 *     f halved    A  runs 5, f 2.5 |releases ...                      each goes on when A does: 2.5 sooner each time
 *
 * The windows without a delay are worked out once more for each level s. A thread's clock is behind the recorded one by
 * its shift: what it was spared so far. With o the moment at which a wait begins now,
 *     the target         its time counts (1 - s) times
 *     a wait             ends when its waker now comes to where it let it go on, and what waking takes passes; at o where
 *                        the waker has been there before; after as long as it took where nobody is known to have
 *                        ended it, or it gave up
 *     a barrier          all go on when the last of them comes, whoever is last now
 *     a task, thread, interval   is not taken up before it was made, or began; who has to wait for that now is woken
 *                        as late as it is from its other waits, in the median
 * and a thread that begins is as far as its maker was. Held fixed: all other times that threads run, or want a
 * processor; sleeps; who lets whom go on, and in which order. So what was never waited for is not known, although it may
 * be waited for then: a lock that was always free, a queue that was never empty (unless its tasks are marked, or have
 * intervals). A difference to the experiments says that the order changes, or threads contend, or caches.
 *
 * Laws, asserted in each run: at s = 0 all times are the recorded ones, to the ns; and nothing ever happens later.
 * The samples are those of the experiments' windows, level by level, block by block: effect.h tells their effects.
 */
#ifndef CAUSAL_REPLAY_H
#define CAUSAL_REPLAY_H

#include "causal/causal_sample.h"

/* Intervals of a type, or all. */
struct replay_part {
    const char *type;                /* NULL: all */
    const struct causal_samples *of; /* the experiments' */
    struct causal_samples samples;   /* the same levels and blocks */
};

struct causal_replay {
    double noted;   /* part of the target's time in these windows that has records */
    double unknown; /* that threads waited for nobody knows whom, by the windows' time */
    bool changed;   /* a replay with nothing faster gave other times: never */
    bool later;     /* one made something later: never */
};

/* Less of the target's time has records: what is left would be taken for all (chosen). */
#define REPLAY_LEAST_NOTED 0.95
/* What waits for sockets become nobody knows: whoever sends may do so sooner, or not (chosen). */
#define REPLAY_MOST_UNKNOWN 0.05

/* The parts' `samples` are filled. The first part is of all intervals. */
void causal_replay_fill(struct causal_replay *replay, struct replay_part *parts,
                        uint32_t part_count, const struct timelines *run, uint32_t target);
/* Can it be believed? */
bool causal_replay_is_known(const struct causal_replay *replay);

#endif
