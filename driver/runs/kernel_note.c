#include "driver/runs/kernel_note.h"

#include "base/number.h"
#include "base/str.h"
#include "trace/off_cpu.h"

/* Two clocks that disagree by more put a wait's end before what ended it. */
#define CLOCKS_MOST_APART_NS 5000
/* Less is not told apart from nothing. */
#define CLOCKS_STEP_NS 100
/* So many times off the processor end without a waking where nothing is missing. */
#define UNWOKEN_PART 0.03
/* So many of the waits that both recorded contradict each other by chance. */
#define CONTRADICTED_PART 0.01

#define HOW "`vprofiler doctor` says what it takes to record it."

/* A thread ran wherever it was not off its processor. */
static void add_thread(const struct timeline_thread *thread, double *ran_ns, double *waited_ns)
{
    if (!thread->off_count)
        return;
    *ran_ns += (double)(thread->last - thread->first);
    for (uint32_t i = 0; i < thread->off_count; i++) {
        const struct off_cpu *off = &thread->offs[i];
        if (off->out < thread->first || off->in > thread->last)
            continue;
        *ran_ns -= (double)(off->in - off->out);
        *waited_ns += (double)(off->in - off->woken);
    }
}

double kernel_note_waited(const struct timelines *run)
{
    double ran_ns = (double)run->total_ran_ns, waited_ns = (double)run->total_runnable_ns;
    for (uint32_t t = 0; t < run->thread_count; t++)
        add_thread(&run->threads[t], &ran_ns, &waited_ns);
    return ran_ns + waited_ns > 0 ? waited_ns / (ran_ns + waited_ns) : -1;
}

/* Where no switch was recorded, all that may be known is a sum of all threads. */
static void note_unseparated(struct doubts *notes, const struct timelines *run)
{
    double waited = kernel_note_waited(run);
    struct str sum = {0};
    if (waited >= 0)
        str_printf(&sum,
                   " Of the time in which threads had or wanted a processor they waited %s for one "
                   "(schedstat), which is not told apart by function.",
                   number_percent(waited).text);
    doubts_add(notes, DOUBT_OF_TRACE, "preemption-not-separated",
               "Time in which a thread was runnable but not running is part of the function it was "
               "in.%s The kernel's scheduler was not recorded: " HOW,
               str_text(&sum));
    str_release(&sum);
}

/* Of a processor, for each event, at the least: of a program with warm caches (measured: docs/measurements/kernel.md). */
#define EVENT_NS 1800.0
#define COST_PART 0.03 /* of the processors (chosen) */

/* A program that goes to sleep very often is slower while that is recorded. */
static void add_cost(const struct timelines *run, struct str *out)
{
    const struct kernel_side *side = run->kernel_side;
    uint64_t events = side ? side->events + run->kernel_lost : 0;
    double part =
        events && side->processors_ns ? (double)events * EVENT_NS / (double)side->processors_ns : 0;
    if (part >= COST_PART)
        str_printf(out,
                   " It told of %s events, which took some %s of all processors or more: what is "
                   "slower for it, `--kernel off` shows.",
                   number_count(events).text, number_percent_short(part).text);
}

static double recorded_part(const struct timelines *run)
{
    time_ns all = 0, recorded = 0;
    for (uint32_t t = 0; t < run->thread_count; t++) {
        const struct timeline_thread *thread = &run->threads[t];
        all += thread->last - thread->first;
        recorded += kernel_side_recorded(run->kernel_side, thread->first, thread->last);
    }
    return all ? (double)recorded / (double)all : 1;
}

/* Pauses keep what recording costs small. */
static void add_pauses(const struct timelines *run, struct str *out)
{
    const struct kernel_side *side = run->kernel_side;
    if (!side || !side->pause_count)
        return;
    str_printf(out,
               " It told of so much that it was recorded only %s of the time, in windows, to "
               "slow nothing down;",
               number_percent_short(recorded_part(run)).text);
    if (side->intervals_paused)
        str_printf(out, " %s intervals that did not begin in one are left out.",
                   number_count(side->intervals_paused).text);
    else
        str_printf(out, " of what was outside it is not known why threads waited.");
    str_printf(out, " `--kernel on` records all the time.");
}

static void note_recorded(struct doubts *notes, const struct timelines *run)
{
    const struct kernel_side *side = run->kernel_side;
    struct str joined = {0};
    if (side && side->waits_joined) {
        str_printf(&joined, " Its clock and the program's agree within %s",
                   number_ns((double)side->clocks_apart + CLOCKS_STEP_NS, false).text);
        str_printf(&joined, "; of %s waits that both recorded, ",
                   number_count(side->waits_joined).text);
        str_printf(&joined, "%s contradict each other.",
                   number_count(side->waits_contradicted).text);
    }
    add_pauses(run, &joined);
    add_cost(run, &joined);
    doubts_add(notes, DOUBT_OF_TRACE, "kernel-recorded",
               "The kernel's scheduler was recorded: who had the processor, who woke whom.%s",
               str_text(&joined));
    str_release(&joined);
}

void kernel_note_wakers(struct doubts *notes)
{
    doubts_add(notes, DOUBT_OF_TRACE, "wakers-not-recorded",
               "Of the kernel's scheduler only the program's own switches were recorded: who "
               "woke its threads, and who had the processor meanwhile, is not known. " HOW);
}

void kernel_note_add(struct doubts *notes, const struct timelines *run)
{
    if (run->watched == TRACE_WATCHED_ALL)
        note_recorded(notes, run);
    else if (run->watched == TRACE_WATCHED_OWN)
        kernel_note_wakers(notes);
    else
        note_unseparated(notes, run);
}

/* A wait whose end nobody told ends when the thread runs: neither its cause nor its latency is
 * known. Where own switches alone are recorded, no waking ever is; a run that is only a recorder's says
 * by its wakings that they were. */
static void doubt_wakings(struct doubts *doubts, const struct timelines *run)
{
    const struct kernel_side *side = run->kernel_side;
    bool told = run->watched == TRACE_WATCHED_ALL || side->unwoken < side->slept;
    if (told && (double)side->unwoken > UNWOKEN_PART * (double)side->slept)
        doubts_add(
            doubts, DOUBT_OF_WAITS, "wakings-missing",
            "The kernel did not tell who ended %llu of %llu times in which threads slept: "
            "what they waited for is not known. Some kernels tell nothing of what happens on "
            "an idle processor.",
            (unsigned long long)side->unwoken, (unsigned long long)side->slept);
}

static void doubt_joined(struct doubts *doubts, const struct kernel_side *side)
{
    if (side->clocks_apart > CLOCKS_MOST_APART_NS)
        doubts_add(
            doubts, DOUBT_OF_TRACE, "clocks-apart",
            "The kernel's clock and the program's disagree by %s: of shorter waits it is not "
            "known who ended them. Is the processor's counter steady? `vprofiler doctor` looks at "
            "it.",
            number_ns((double)side->clocks_apart, false).text);
    if ((double)side->waits_contradicted > CONTRADICTED_PART * (double)side->waits_joined)
        doubts_add(doubts, DOUBT_OF_WAITS, "waits-contradicted",
                   "Of %llu waits that the program and the kernel recorded, in %llu the thread ran "
                   "again before it was let go on: who ended them may be another.",
                   (unsigned long long)side->waits_joined,
                   (unsigned long long)side->waits_contradicted);
}

void kernel_note_doubt(struct doubts *doubts, const struct timelines *run)
{
    if (run->kernel_side) {
        doubt_joined(doubts, run->kernel_side);
        doubt_wakings(doubts, run);
    }
    if (run->kernel_lost)
        doubts_add(doubts, DOUBT_OF_TRACE, "lost-kernel-records",
                   "%llu record%s of the kernel's scheduler %s lost: why threads waited is not "
                   "known of that time. Is the machine too busy for the recorder, or the trace's "
                   "cap (VPROF_TRACE_CAP_BYTES) too small?",
                   (unsigned long long)run->kernel_lost, number_plural(run->kernel_lost),
                   run->kernel_lost == 1 ? "was" : "were");
}
