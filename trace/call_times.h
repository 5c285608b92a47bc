/* call_times.h - when calls that stand side by side in a log began and ended, several at a time, as
 * the processor at hand does it.
 *
 *     call_times_way *read = call_times_at(0)->read;      the fastest
 *     struct clock_stretch times[32];
 *     read(&line, calls, 32, times);                      records of 16 bytes each
 *
 * All give what clock_line_stretch does, of calls within the line's span. No state.
 */
#ifndef TRACE_CALL_TIMES_H
#define TRACE_CALL_TIMES_H

#include "trace/clock_map.h"

typedef void call_times_way(const struct clock_line *line, const struct trace_function *calls,
                            uint32_t count, struct clock_stretch *times);

struct call_times {
    const char *name;
    call_times_way *read;
};

/* The fastest way that this processor has, the next, ... or NULL. */
const struct call_times *call_times_at(uint32_t place);

#endif
