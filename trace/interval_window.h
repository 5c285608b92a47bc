/* interval_window.h - which intervals of a run count: those that lie in their file's window, and of
 * whose time nothing was overwritten.
 */
#ifndef TRACE_INTERVAL_WINDOW_H
#define TRACE_INTERVAL_WINDOW_H

#include "trace/clock_map.h"
#include "trace/timeline.h"
#include "trace/trace_reader.h"

/* The others are no longer complete. Readers and clocks are by process. */
void interval_windows_keep(struct timelines *run, const struct trace_reader *readers,
                           const struct clock_map *clocks, const struct clock_map *monotonic);

#endif
