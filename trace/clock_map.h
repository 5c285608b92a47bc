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

/* A map as seen from one base. The rate is less than 2^-64 too small: a product is right unless its
 * part below 1 is so near to 1 that what it lacks could carry it over. */
struct clock_line {
    const struct clock_map *map;
    uint64_t base;
    uint64_t zero;  /* ticks from the earliest calibration to the base */
    uint64_t limit; /* 2^54: products of fewer ticks lack less than 2^-10; 0: of none */
    uint64_t whole, part;
    time_ns ns;
};

static inline struct clock_line clock_line_of(const struct clock_map *map, uint64_t base)
{
    return (struct clock_line){.map = map,
                               .base = base,
                               .zero = base - map->ticks,
                               .limit = map->usual && !(base >> 62) ? UINT64_C(1) << 54 : 0,
                               .whole = map->rate_whole,
                               .part = map->rate_part,
                               .ns = map->ns};
}

struct clock_stretch {
    time_ns start, end;
};

/* Of ticks <= INT64_MAX after the base. */
static inline struct clock_stretch clock_line_stretch(const struct clock_line *line, uint64_t start,
                                                      uint64_t end)
{
    uint64_t from = line->zero + start, to = line->zero + end, most = -line->limit;
    unsigned __int128 p = (unsigned __int128)from * line->part;
    unsigned __int128 q = (unsigned __int128)to * line->part;
    if (__builtin_expect((from | to) >= line->limit || (uint64_t)p > most || (uint64_t)q > most, 0))
        return (struct clock_stretch){clock_map_divide(line->map, line->base, start),
                                      clock_map_divide(line->map, line->base, end)};
    return (struct clock_stretch){(time_ns)(from * line->whole + (uint64_t)(p >> 64)) + line->ns,
                                  (time_ns)(to * line->whole + (uint64_t)(q >> 64)) + line->ns};
}

/* `ticks` after `base`. The result is cut to +-2^61, so that differences never overflow. */
static inline time_ns clock_map_ns(const struct clock_map *map, uint64_t base, uint64_t ticks)
{
    struct clock_line line = clock_line_of(map, base);
    return ticks >> 62 ? clock_map_divide(map, base, ticks)
                       : clock_line_stretch(&line, ticks, ticks).start;
}

/* The least ticks after `base` at which it is `ns` or later; UINT64_MAX: no ticks are. */
uint64_t clock_map_ticks(const struct clock_map *map, uint64_t base, time_ns ns);

const char *clock_name(uint32_t clock); /* "tsc", "cntvct", "monotonic" */

#endif
