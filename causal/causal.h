/* causal.h - what would be if parts of the program took less time, as a run's experiments tell.
 *
 *     struct causal *causal = causal_find(run, &error);
 *     causal->targets[0].parts[0].effects[level][CAUSAL_P99]
 *     causal_release(causal);
 *
 * Coz's question (Curtsinger and Berger, SOSP'15) for the latency of real intervals.
 */
#ifndef CAUSAL_CAUSAL_H
#define CAUSAL_CAUSAL_H

#include "base/error.h"
#include "causal/curve.h"
#include "causal/effect.h"
#include "causal/laws.h"
#include "causal/replay.h"

/* The intervals of a type, or all. */
struct causal_part {
    const char *type; /* NULL: all */
    struct causal_samples samples;
    struct causal_effect (*effects)[CAUSAL_METRICS]; /* by level; of the first, 0, they are 1 */
    /* The same of the recorded run that was worked out again (replay.h); not known where that is not. */
    struct causal_samples replayed;
    struct causal_effect (*replays)[CAUSAL_METRICS];
    struct curve curves[CAUSAL_METRICS]; /* of what is known */
    /* A later level is worse than an earlier one, and that is no chance: making it faster hurts. */
    bool hurts[CAUSAL_METRICS];
    /* What is never delayed against itself, in the same run: how far chance goes. */
    struct causal_effect noise[CAUSAL_METRICS];
    double noise_chance[CAUSAL_METRICS]; /* that chance goes so far */
    /* Of all that is told of the run's targets, a tenth at the most is told by chance. */
    bool claimed[CAUSAL_METRICS];
};

/* What a choice among many targets had to say of one: to choose by, as the best look better than they are. */
struct causal_screening {
    uint32_t rounds; /* that it was looked at in; 0: nothing was chosen */
    uint32_t blocks;
    double share;
    struct causal_effect effects[CAUSAL_METRICS];
};

struct causal_target {
    const char *kind, *name;
    struct causal_part *parts; /* the first one is of all intervals */
    uint32_t part_count;
    double call_ns;    /* its mean, without a delay; 0: it was never called */
    double processors; /* how many it keeps busy then */
    struct causal_replay replay;
    struct causal_screening screening;
    bool left_out; /* by that, or as it never ran: there is no curve of it */
};

struct causal {
    const struct timelines *run;
    struct causal_target
        *targets; /* the one that brings most comes first; at the end those left out */
    uint32_t target_count, left_out;
    uint32_t experiments, broken;
    bool runs;           /* of the program are its units of work, and its intervals */
    bool intervals;      /* the run has some; else only the rate is known */
    bool visits;         /* the rate is that of units of work */
    const char *outside; /* as in struct experiments */
    double seconds;      /* of the experiments */
    double slowdown;     /* real time by virtual time in them */
    struct causal_laws laws;
};

/* The run is borrowed. NULL and ERROR_NOTHING: it has no experiments, or none that came to an end. */
struct causal *causal_find(const struct timelines *run, struct error *error);
/* Nothing was said of how wide intervals are to be: wider ones are too noisy (chosen). */
#define CAUSAL_USUAL_WIDTH 0.25

/* What was asked for, else the usual one. */
double causal_width_asked(const struct causal *causal);
/* No level's effect stands out from what chance does to runs without a delay, which is more than was asked for: there
 * is no curve to be seen. */
bool causal_is_noisy(const struct causal *causal, const struct causal_part *part,
                     enum causal_metric metric);

/* Of what is claimed, so much may be claimed by chance. */
#define CAUSAL_FALSE_PART 0.1

/* NULL where the laws hold, else which does not. */
const char *causal_check(const struct causal *causal);
void causal_release(struct causal *causal);

/* Experiments and the recorded order say different things: their intervals have nothing in common, each so wide that
 * of all of a part one misses in one of twenty programs, and they are CAUSAL_APART apart at least. */
bool causal_is_apart(const struct causal_part *part, uint32_t level, enum causal_metric metric);
/* Of a ratio: what is less is not worth a word (chosen). */
#define CAUSAL_APART 0.05

/* What a sentence of a target is about: the metrics of its first part, at this level; the last level where
 * all are told. */
uint32_t causal_level_near(const struct causal_part *part, double share);

#endif
