/* comparison.h - two sides set against each other: the latency, and the factors of either.
 *
 *     struct comparison comparison;
 *     struct comparison_options options = {.margin = 0.05, .factors = 3, .paired = true};
 *     if (comparison_make(&comparison, sides, &options, &error))
 *         comparison.rows[0].changes[METRIC_P99].verdict, comparison.verdict
 *     comparison_release(&comparison);
 *
 *   rows[0]  the latency          mean   variance   p99   (p50, p99.9)
 *   rows[1]  lock_wait            mean   variance   p99
 *   rows[2]  parse x reply               2 Cov
 *
 * Rows of factors are the first of A and of B by rank, matched by name. A function's mean and p99
 * are those of its time in an interval, over all its sites, and its variance is the factor's. All
 * judged intervals hold together with 95 % (Bonferroni; the three of the latency have three
 * quarters of the 5 %, the factors an eighth, the tree and the root ledger a sixteenth each), so
 * that a claim in any row or node is wrong in 5 % of the comparisons at the most.
 *
 * `verdict` is the latency's alone: a factor that took over another's work made nothing worse. It
 * is worse if one of mean, variance and p99 is; else better if one is; not different if all three
 * are not; else inconclusive. `may_be_worse` says that of one of them "worse" is not ruled out.
 *
 * Texts are the sides'. ERROR_USAGE where the two can't be compared.
 */
#ifndef VARIANCE_COMPARISON_H
#define VARIANCE_COMPARISON_H

#include "base/error.h"
#include "stats/change.h"
#include "stats/histogram.h"
#include "variance/root_difference.h"

enum { COMPARISON_RUNS = 5 }; /* so many runs of each side, and they are the blocks */

struct comparison_options {
    double margin;
    uint32_t factors; /* of each side */
    bool paired;      /* run r of A was made with run r of B */
};

struct comparison_row {
    enum factor_kind kind;
    const char *names[2]; /* names[0] NULL: the latency; names[1] NULL: no pair */
    const char *blind[2]; /* what is not timed in A, in B; then nothing is judged */
    const char *file;     /* where the function is, in B if it is there; "" where unknown */
    uint32_t line;
    struct change changes[METRIC_COUNT];
};

/* Whose threads waited so much longer for a processor that this alone may be the difference. */
enum starved { STARVED_NONE, STARVED_A, STARVED_B };

struct comparison {
    struct comparison_row *rows;
    uint32_t row_count;
    enum verdict verdict;
    bool may_be_worse; /* "worse" is neither said nor ruled out */
    double margin;
    uint64_t intervals[2];
    uint32_t runs[2];
    uint32_t blocks;
    bool of_runs; /* blocks are whole runs: what differs from run to run is in the intervals */
    bool drifts;  /* neighbouring blocks are alike: the intervals are too narrow */
    enum starved starved;
    double waited[2];       /* for a processor; the sides' (sample.h) */
    bool nothing_in_common; /* both time functions, and none is the same: no factors, no tree */
    uint32_t timed_in_one;  /* functions of both that only one of them times */
    const char *timed_in_one_name;
    struct difference difference;   /* the tree of A laid over that of B */
    struct root_difference roots;   /* and who does it */
    struct histogram histograms[2]; /* of the latencies, with the same edges */
};

bool comparison_make(struct comparison *comparison, const struct sample_side sides[2],
                     const struct comparison_options *options, struct error *error);
void comparison_release(struct comparison *comparison);

#endif
