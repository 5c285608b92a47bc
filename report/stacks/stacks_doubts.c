/* What speaks against the numbers of contexts. */
#include "base/number.h"
#include "report/stacks/stacks_report.h"

/* So many samples tell a tenth of the time to a fifth of it: sqrt(p (1 - p) / n) (chosen). */
enum { FEW_SAMPLES = 200 };
/* More cut stacks, or time off without one, than this part are doubted (chosen). */
#define MOST_CUT 0.05
#define MOST_WITHOUT 0.1
/* Stacks that are missing may be those of one context (chosen). */
#define MOST_LOST 0.01

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

/* What was lost is missing alike in all contexts, or it was lost in moments when much happened. */
static void doubt_lost(const struct stacks *stacks, struct doubts *doubts)
{
    const struct trace_unwinding *taken = &stacks->run->wait_stacks->unwinding;
    if ((double)taken->lost > MOST_LOST * (double)(taken->stacks + taken->lost))
        doubts_add(
            doubts, DOUBT_OF_TRACE, "stacks-lost",
            "%llu stacks found no room in the recorder's rings, %llu were taken: the parts are "
            "those of the moments that were seen. Fewer samples a second (--rate) lose less.",
            (unsigned long long)taken->lost, (unsigned long long)taken->stacks);
}

static void doubt_different(const struct stacks *stacks, struct doubts *doubts)
{
    const struct trace_unwinding *taken = &stacks->run->wait_stacks->unwinding;
    if (taken->without)
        doubts_add(
            doubts, DOUBT_OF_TRACE, "too-many-stacks",
            "Of %llu stacks %llu were new when as many different ones were known as are kept: "
            "their time is told as [stack not recorded]. A shorter recording has fewer.",
            (unsigned long long)taken->stacks, (unsigned long long)taken->without);
}

void stacks_judge(const struct stacks *stacks, struct doubts *doubts)
{
    doubt_samples(stacks, doubts);
    doubt_without(stacks, doubts);
    doubt_cut(stacks, doubts);
    doubt_lost(stacks, doubts);
    doubt_different(stacks, doubts);
}
