#include "driver/runs/kernel_note.h"

#include "base/number.h"
#include "base/str.h"

#define HOW "`vprofiler doctor` says what it takes to record it."

double kernel_note_waited(const struct timelines *run)
{
    double ran_ns = (double)run->total_ran_ns, waited_ns = (double)run->total_runnable_ns;
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

void kernel_note_add(struct doubts *notes, const struct timelines *run)
{
    if (run->watched == TRACE_WATCHED_ALL)
        doubts_add(notes, DOUBT_OF_TRACE, "kernel-recorded",
                   "The kernel's scheduler was recorded: who had the processor, who woke whom.");
    else if (run->watched == TRACE_WATCHED_OWN)
        doubts_add(notes, DOUBT_OF_TRACE, "wakers-not-recorded",
                   "Of the kernel's scheduler only the program's own switches were recorded: who "
                   "woke its threads, and who had the processor meanwhile, is not known. " HOW);
    else
        note_unseparated(notes, run);
}

void kernel_note_doubt(struct doubts *doubts, const struct timelines *run)
{
    if (run->kernel_lost)
        doubts_add(doubts, DOUBT_OF_TRACE, "lost-kernel-records",
                   "%llu record%s of the kernel's scheduler %s lost: why threads waited is not "
                   "known of that time. Is the machine too busy for the recorder, or the trace's "
                   "cap (VPROF_TRACE_CAP_BYTES) too small?",
                   (unsigned long long)run->kernel_lost, number_plural(run->kernel_lost),
                   run->kernel_lost == 1 ? "was" : "were");
}
