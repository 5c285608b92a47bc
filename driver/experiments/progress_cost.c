#include "driver/experiments/progress_cost.h"

#include "base/number.h"
#include "driver/experiments/delay_file.h"

/* Chosen. Effects come out too small by that part. */
#define MOST_SHARE 0.25
#define GOOD_SHARE 0.05

struct progress_gaps progress_gaps_now(const struct trace_delays *delays)
{
    return (struct progress_gaps){delay_file_sum(&delays->place_gaps),
                                  delay_file_sum(&delays->place_gaps_ns)};
}

double progress_cost(const struct trace_delays *delays, const struct progress_gaps *before)
{
    struct progress_gaps now = progress_gaps_now(delays);
    double ns = (double)(now.ns - before->ns), each_ns = (double)delay_file_sum(&delays->place_ns);
    return ns > 0 ? (double)(now.count - before->count) * each_ns / ns : 0;
}

bool progress_cost_check(const struct trace_delays *delays, double share, struct error *error)
{
    double each_ns = (double)delay_file_sum(&delays->place_ns);
    if (share <= MOST_SHARE)
        return true;
    return error_set(error, ERROR_USAGE,
                     "%s is called too often for --progress: each call stops its thread for %s, "
                     "which is %s of the time from one to the next. Name a function that a thread "
                     "calls less than %s times a second, or put VPROF_PROGRESS(\"name\") of "
                     "vprof_api.h into this one.",
                     delays->place_name, number_ns(each_ns, false).text,
                     number_percent_short(share).text,
                     number_count((uint64_t)(GOOD_SHARE * 1e9 / each_ns)).text);
}
