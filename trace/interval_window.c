#include "trace/interval_window.h"

#include "base/memory.h"
#include "trace/trace_seal.h"

/* An interval counts only if it lies in the window. */
struct window {
    time_ns from, until;
};

struct windows {
    struct timelines *run;
    const struct trace_reader *readers; /* of the processes */
    const struct clock_map *clocks, *monotonic;
    struct window *of; /* by process */
};

static struct window header_window(const struct windows *w, size_t file)
{
    const struct clock_map *monotonic = w->monotonic;
    const struct trace_file_header *header = w->readers[file].header;
    return (struct window){clock_map_ns(monotonic, 0, header->window_from_ns),
                           clock_map_ns(monotonic, 0, header->window_until_ns)};
}

/* The window of a run without one is all of time. A file that came after they were written has the
 * first one that another has. */
static void find_windows(struct windows *w)
{
    struct window common = {INT64_MIN, INT64_MAX};
    for (size_t i = w->run->process_count; i-- > 0;)
        if (w->readers[i].header->window_until_ns)
            common = header_window(w, i);
    w->of = memory_zeroed((w->run->process_count + 1) * sizeof *w->of);
    for (size_t i = 0; i < w->run->process_count; i++)
        w->of[i] = w->readers[i].header->window_until_ns ? header_window(w, i) : common;
}

/* The result is the moment when the file's last overwritten record ended; INT64_MIN: none of its
 * window was. */
static time_ns overwritten_until(const struct windows *w, size_t file)
{
    const struct trace_file_header *header = w->readers[file].header;
    if (!trace_overwritten_records(header))
        return INT64_MIN;
    time_ns until = clock_map_ns(&w->clocks[file], header->clock_base,
                                 header->overwritten_ticks - header->clock_base);
    return until > w->of[file].from ? until : INT64_MIN;
}

/* The list has for each file when the last overwritten record of its run ended. */
static time_ns *find_whole_from(struct windows *w)
{
    time_ns *until = memory_alloc((w->run->process_count + 1) * sizeof *until);
    time_ns *whole_from = memory_alloc((w->run->process_count + 1) * sizeof *whole_from);
    for (size_t i = 0; i < w->run->process_count; i++) {
        until[i] = overwritten_until(w, i);
        if (until[i] != INT64_MIN)
            w->run->overwritten_records += trace_overwritten_records(w->readers[i].header);
    }
    for (size_t i = 0; i < w->run->process_count; i++)
        whole_from[i] = INT64_MIN;
    for (size_t k = 0; k < w->run->process_count; k++)
        for (size_t i = 0; until[k] != INT64_MIN && i < w->run->process_count; i++)
            if (until[k] > whole_from[i] &&
                trace_seal_is_one_run(w->readers[i].header, w->readers[k].header))
                whole_from[i] = until[k];
    memory_free(until);
    return whole_from;
}

/* An interval may lack some of its records if it began before its file was whole. */
static void cut_intervals(struct windows *w)
{
    struct timelines *run = w->run;
    time_ns *whole_from = find_whole_from(w);
    for (uint32_t i = 0; i < run->interval_count; i++) {
        struct interval *interval = &run->intervals[i];
        if (interval->complete && interval->begin < whole_from[interval->process]) {
            interval->complete = false;
            run->intervals_cut++;
        }
    }
    memory_free(whole_from);
}

static bool is_within(const struct windows *w, const struct interval *interval)
{
    struct window window = w->of[interval->process];
    return interval->complete && interval->begin >= window.from && interval->end <= window.until;
}

/* An endless interval began in the window and will hardly end: its id began anew, or it is open for
 * longer than any that ended. That it ended after the window is not looked at: whoever looks at
 * once can't know. */
static bool is_endless(const struct interval *interval, struct window window, time_ns longest)
{
    bool over = (interval->complete || interval->begun_again) && interval->end <= window.until;
    return interval->begin >= window.from && interval->begin < window.until &&
           (over ? interval->begun_again : window.until - interval->begin > longest);
}

static time_ns longest_within(const struct windows *w)
{
    time_ns longest = 0;
    for (uint32_t i = 0; i < w->run->interval_count; i++) {
        const struct interval *interval = &w->run->intervals[i];
        time_ns length = interval->end - interval->begin;
        if (length > longest && is_within(w, interval))
            longest = length;
    }
    return longest;
}

/* Intervals that a window leaves out, unfinished ones too, are none of this run. */
static void keep_window(struct windows *w)
{
    if (w->of[0].until == INT64_MAX)
        return;
    time_ns longest = longest_within(w);
    for (uint32_t i = 0; i < w->run->interval_count; i++) {
        struct interval *interval = &w->run->intervals[i];
        if (is_within(w, interval))
            continue;
        w->run->intervals_outside += !is_endless(interval, w->of[interval->process], longest);
        interval->complete = false;
    }
}

void interval_windows_keep(struct timelines *run, const struct trace_reader *readers,
                           const struct clock_map *clocks, const struct clock_map *monotonic)
{
    if (!run->process_count)
        return;
    struct windows windows = {run, readers, clocks, monotonic, NULL};
    find_windows(&windows);
    keep_window(&windows);
    cut_intervals(&windows);
    memory_free(windows.of);
}
