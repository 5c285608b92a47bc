/* What speaks against the numbers of contexts. */
#include "base/number.h"
#include "report/stacks/interpreter.h"
#include "report/stacks/stacks_report.h"

/* So many samples tell a tenth of the time to a fifth of it: sqrt(p (1 - p) / n) (chosen). */
enum { FEW_SAMPLES = 200 };
/* More cut stacks, or time off without one, than this part are doubted (chosen). */
#define MOST_CUT 0.05
#define MOST_WITHOUT 0.1
/* Stacks that are missing may be those of one context (chosen). */
#define MOST_LOST 0.01
/* Of what ran, or of all, so much is not the program's author's own (chosen). */
#define MOST_UNNAMED 0.02
#define MOST_INTERPRETED 0.1

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

/* A user without rights has stacks of what his threads run, and of nothing else. */
static void doubt_own(struct doubts *doubts)
{
    doubts_add(doubts, DOUBT_OF_WAITS, "stacks-missing",
               "Stacks are of what ran outside of the kernel alone: in which calls threads were "
               "blocked is not known, and what they ran in the kernel is told as a whole. "
               "`vprofiler doctor` says what it takes.");
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

/* What its author wrote is not what a processor ran. */
static void doubt_language(const struct stacks *stacks, struct doubts *doubts)
{
    const struct context_sum *all = &stacks->times.sums[CONTEXT_ROOT];
    const char *object;
    time_ns unnamed = interpreter_unnamed(stacks), time = interpreter_time(stacks, &object);
    if ((double)unnamed > MOST_UNNAMED * (double)all->total[TIME_RAN])
        doubts_add(
            doubts, DOUBT_OF_TRACE, "generated-code",
            "%s of what ran was code that a program made as it ran, and has no names. It has them "
            "where /tmp/perf-PID.map is written: start node with --perf-basic-prof, python3 (from "
            "3.12 on) with -X perf, java (from 17 on) with -XX:+PreserveFramePointer "
            "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit.",
            number_percent_short((double)unnamed / (double)all->total[TIME_RAN]).text);
    if ((double)time > MOST_INTERPRETED * (double)context_time_total(all))
        doubts_add(doubts, DOUBT_OF_TRACE, "interpreter",
                   "%s is an interpreter: what is told are its own functions; those of the "
                   "program that it runs are not seen.",
                   object);
}

void stacks_judge(const struct stacks *stacks, struct doubts *doubts)
{
    doubt_samples(stacks, doubts);
    if (stacks->run->watched == TRACE_WATCHED_OWN)
        doubt_own(doubts);
    else
        doubt_without(stacks, doubts);
    doubt_cut(stacks, doubts);
    doubt_lost(stacks, doubts);
    doubt_different(stacks, doubts);
    doubt_language(stacks, doubts);
}
