#include "trace/watched.h"

#include <stdbool.h>

/* ALL is 1, and each value behind it says less; NOTHING is 0. */
static uint32_t rank(enum trace_watched watched)
{
    return watched == TRACE_WATCHED_NOTHING ? UINT32_MAX : watched;
}

enum trace_watched watched_lesser(enum trace_watched a, enum trace_watched b)
{
    return rank(a) > rank(b) ? a : b;
}

/* A process that was killed has no second calibration, or an early one. */
static uint64_t last_ns(const struct trace_file_header *header)
{
    uint64_t first = header->calibration[0].monotonic_ns;
    return header->calibration[1].monotonic_ns > first ? header->calibration[1].monotonic_ns
                                                       : first;
}

/* A recorder that has not ended goes on. */
static bool saw(const struct trace_file_header *recorder, const struct trace_file_header *process)
{
    bool ended = recorder->end != TRACE_RUNNING;
    return recorder->calibration[0].monotonic_ns <= last_ns(process) &&
           (!ended || process->calibration[0].monotonic_ns <= last_ns(recorder));
}

/* What the recorders that saw the process recorded; NULL: what any of them did. */
static enum trace_watched watched_of(const struct trace_reader *readers,
                                     const struct trace_reader *process, uint32_t first_recorder,
                                     uint32_t count)
{
    enum trace_watched most = TRACE_WATCHED_NOTHING;
    for (uint32_t i = first_recorder; i < count; i++) {
        uint32_t watched = readers[i].header->watched;
        if (watched <= TRACE_WATCHED_TOTALS && rank(watched) < rank(most) &&
            (!process || saw(readers[i].header, process->header)))
            most = watched;
    }
    return most;
}

enum trace_watched watched_of_all(const struct trace_reader *readers, uint32_t processes,
                                  uint32_t count)
{
    enum trace_watched all =
        processes ? TRACE_WATCHED_ALL : watched_of(readers, NULL, processes, count);
    for (uint32_t p = 0; p < processes && all != TRACE_WATCHED_NOTHING; p++)
        all = watched_lesser(all, watched_of(readers, &readers[p], processes, count));
    return all;
}
