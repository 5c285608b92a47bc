/* What speaks against the numbers of contexts. */
#include "base/number.h"
#include "report/stacks/stacks_report.h"

/* So many samples tell a tenth of the time to a fifth of it: sqrt(p (1 - p) / n) (chosen). */
enum { FEW_SAMPLES = 200 };
/* More cut stacks, or time off without one, than this part are doubted (chosen). */
#define MOST_CUT 0.05
#define MOST_WITHOUT 0.1

static void doubt_samples(const struct stacks *stacks, struct doubts *doubts)
{
    uint64_t samples = stacks->seen.samples;
    if (samples < FEW_SAMPLES)
        doubts_add(
            doubts, DOUBT_OF_INTERVALS, "few-samples",
            "Only %llu sample%s of what ran: its parts are rough. A longer run, or more samples a "
            "second (--rate), tells more.",
            (unsigned long long)samples, number_plural(samples));
}

static void doubt_cut(const struct stacks *stacks, struct doubts *doubts)
{
    uint64_t all = stacks->seen.samples + stacks->seen.with_stack;
    if ((double)stacks->seen.cut > MOST_CUT * (double)all)
        doubts_add(
            doubts, DOUBT_OF_TRACE, "stacks-cut",
            "%s of %s stacks do not reach the start of their threads: they are told below [cut], "
            "and are missing in the contexts of others.",
            number_count(stacks->seen.cut).text, number_count(all).text);
}

static void doubt_without(const struct stacks *stacks, struct doubts *doubts)
{
    const struct context_times *times = &stacks->times;
    time_ns without = 0, off = times->sums[CONTEXT_ROOT].total[TIME_OFF];
    for (uint32_t n = 1; n < times->fold.tree.count; n++)
        if (context_fold_is(&times->fold, n) == CONTEXT_NO_STACK)
            without += times->sums[n].own[TIME_OFF];
    if ((double)without > MOST_WITHOUT * (double)off)
        doubts_add(
            doubts, DOUBT_OF_WAITS, "stacks-missing",
            "Of %s of the time off a processor no stack was recorded: in which calls that was is "
            "not known.",
            number_percent_short((double)without / (double)off).text);
}

void stacks_judge(const struct stacks *stacks, struct doubts *doubts)
{
    doubt_samples(stacks, doubts);
    doubt_without(stacks, doubts);
    doubt_cut(stacks, doubts);
}
