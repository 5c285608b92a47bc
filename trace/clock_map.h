/* clock_map.h - from clock ticks to ns of the run.
 *
 *     ns = ns of the first calibration + (ticks - its ticks) * ns_span / tick_span, rounded down
 *
 * One map serves all files of a run that have the same clock, so equal ticks are equal ns in every
 * process and the map never runs backwards. Start and end of every stretch are mapped (not its
 * length), so that lengths of neighbours add up. CLOCK_MONOTONIC maps to itself; 0 ns is the
 * earliest calibration of the run.
 */
#ifndef TRACE_CLOCK_MAP_H
#define TRACE_CLOCK_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/timeline.h"
#include "trace/trace_reader.h"

struct clock_map {
    uint64_t ticks; /* raw, of the earliest calibration */
    time_ns ns;     /* at that moment */
    uint64_t tick_span;
    uint64_t ns_span;
    uint64_t rate_whole, rate_part; /* ns_span / tick_span: its whole part, and in 2^-64 */
    bool usual;                     /* 2^54 ticks are no more ns than fit */
    bool known;                     /* false: the rate is not known, a tick counts as 1 ns */
};

/* Fills in maps[clock] for every enum trace_clock that a reader uses. */
void clock_maps_build(struct clock_map maps[TRACE_CLOCK_MONOTONIC + 1],
                      const struct trace_reader *readers, uint32_t reader_count);

/* From now on every moment is `delay` later. */
void clock_map_delay(struct clock_map *map, time_ns delay);

time_ns clock_map_divide(const struct clock_map *map, uint64_t base, uint64_t ticks);

/* `ticks` after `base`. The result is cut to +-2^61, so that differences never overflow. The rate
 * is less than 2^-64 too small: a product is right unless its part below 1 is so near to 1 that
 * what it lacks, less than `since` * 2^-64, could carry it over. */
static inline time_ns clock_map_ns(const struct clock_map *map, uint64_t base, uint64_t ticks)
{
    uint64_t since = base + ticks - map->ticks;
    unsigned __int128 product = (unsigned __int128)since * map->rate_part;
    if (!map->usual || (base | ticks) >> 62 || since >> 54 || (uint64_t)product > -since)
        return clock_map_divide(map, base, ticks);
    return (time_ns)(since * map->rate_whole + (uint64_t)(product >> 64)) + map->ns;
}

const char *clock_name(uint32_t clock); /* "tsc", "cntvct", "monotonic" */

#endif
