/* causal_sample.h - what the experiments of one target and level counted, in virtual time.
 *
 *     struct causal_samples samples;
 *     causal_samples_gather(&samples, run, target);
 *     samples.levels[0].latencies[samples.levels[0].first[b]]      block b without a delay
 *     causal_samples_release(&samples);
 *
 * An interval counts that began in a window and ended within its experiment. The rate is that of
 * the run's units of work, or of the intervals' ends: of n of them in a window, n - 1 in the time from the
 * first to the last.
 */
#ifndef CAUSAL_CAUSAL_SAMPLE_H
#define CAUSAL_CAUSAL_SAMPLE_H

#include "stats/jackknife.h"
#include "trace/experiment.h"

/* The block of an experiment is one of JACKKNIFE_BLOCKS at the most: of more, neighbours are one. */
struct causal_level {
    double share;       /* of the target's time that it was to be faster by */
    double dose;        /* that it was: what was granted of the target's time */
    int64_t *latencies; /* virtual, ns; block by block, as they began */
    size_t count, capacity;
    size_t first[JACKKNIFE_BLOCKS + 1];
    double work_ns[JACKKNIFE_BLOCKS]; /* from the first to the last unit of work */
    uint64_t work[JACKKNIFE_BLOCKS];  /* units but the first */
    uint32_t experiments;
    uint64_t calls; /* of the target, and by block */
    uint64_t block_calls[JACKKNIFE_BLOCKS];
    double target_ns, window_ns;
    double granted; /* ns that all were to wait, for each of virtual time */
};

struct causal_samples {
    struct causal_level *levels; /* ascending; the first one is 0 */
    uint32_t level_count;
    uint32_t blocks;    /* that are whole: each level's experiments came to their end */
    uint32_t broken;    /* experiments that did not, or whose block has such a one */
    uint32_t idle;      /* whole experiments in whose windows no two units of work were complete */
    uint64_t backwards; /* intervals that ended before they began: a breach of virtual time */
    bool by_visits;     /* the rate is that of units of work */
    uint32_t *block_of; /* by number of a block: 1 + its index among the whole ones, or 0 */
};

/* Which experiments count. */
enum causal_source {
    CAUSAL_OF_ANSWER,
    CAUSAL_OF_SCREENING, /* all rounds of it */
    /* What is never delayed, against itself: the experiments of level 0, one half of each block's called 0
     * and the other one 1, in turn from block to block. What is told of these is told by chance. */
    CAUSAL_OF_NOISE
};

struct causal_choice {
    uint32_t target;
    const char *type; /* of intervals; NULL: all */
    enum causal_source source;
};

void causal_samples_choose(struct causal_samples *samples, const struct timelines *run,
                           struct causal_choice choice);
/* The answer's, of the intervals of that type; NULL: of all. */
void causal_samples_gather(struct causal_samples *samples, const struct timelines *run,
                           uint32_t target, const char *type);
void causal_samples_release(struct causal_samples *samples);

#endif
