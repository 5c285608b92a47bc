/* How often a run in which no factor is special names one.
 *
 *     variance_no_factor 1000 [seed]     runs; at most 5 % may call their first factor separated
 *
 * Two to eight functions below the interval take times of one distribution, drawn independently
 * (tests/variance/drawn.h), some in runs where what follows is like what was. Which of them comes
 * first in the ranking is chance. Also run with one function of four times the variance of the
 * others, where the claim must be made: a test that never claims anything would pass the first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "leaf_times.h"
#include "variance/variance.h"

enum { SHAPES = 5, KINDS = 2 * SHAPES, MOST = 8 };

static struct leaf leaves[MOST];
static unsigned claims[KINDS], runs[KINDS];

/* True when the first factor is called separated. `special`: f0 varies more than the others. */
static bool claimed(unsigned number, uint64_t seed, bool special)
{
    static const char *const names[MOST] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    unsigned kind = number % KINDS;
    uint64_t state = seed + number;
    uint32_t intervals = 200 + drawn_below(&state, 1801), functions = 2 + drawn_below(&state, 7);
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    for (uint32_t f = 0; f < functions; f++) {
        struct drawn source = {.shape = kind % SHAPES, .scale_ns = special && f == 0 ? 1e6 : 5e5};
        source.persistence = kind / SHAPES ? 0.6 : 0;
        drawn_start(&source, seed * 1000003 + number * 10ull + f);
        leaves[f].path = names[f];
        for (uint32_t i = 0; i < intervals; i++)
            leaves[f].ns[i] = llround(drawn_next(&source));
        run_builder_function(&b, names[f], true);
    }
    leaf_times_build(&b, leaves, functions, intervals);
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        exit(1);
    bool separated = result.factors.factors[0].separated;
    variance_result_release(&result);
    run_builder_release(&b);
    return separated;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 1000, all = 0, found = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (unsigned i = 0; i < count; i++) {
        bool claim = claimed(i, seed, false);
        claims[i % KINDS] += claim;
        runs[i % KINDS]++;
        all += claim;
        found += claimed(i, seed, true);
    }
    for (unsigned k = 0; k < KINDS; k++)
        printf("shape %u%s: %u of %u\n", k % SHAPES, k / SHAPES ? ", like before" : "", claims[k],
               runs[k]);
    printf("no special factor, one claimed: %.1f %%\n", 100.0 * all / count);
    printf("one special factor, claimed:    %.1f %%\n", 100.0 * found / count);
    return !(all <= 0.05 * count && found >= 0.8 * count);
}
