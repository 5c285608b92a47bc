/* clock_map.h - from clock ticks to ns of the run.
 *
 *     ns = ns of the first calibration + (ticks - its ticks) * ns_span / tick_span, rounded down
 *
 * One map serves all files of a run that have the same clock, so equal ticks are equal ns in every
 * process and the map never runs backwards. A file that is sealed has its run's calibrations,
 * whatever other files are read with it; of the others those of all count. Start and end of every
 * stretch are mapped (not its length), so that lengths of neighbours add up. CLOCK_MONOTONIC maps
 * to itself; 0 ns is the earliest calibration of the run.
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

/* The function fills in maps[i] for each reader, and *monotonic. */
void clock_maps_build(struct clock_map *maps, struct clock_map *monotonic,
                      const struct trace_reader *readers, uint32_t reader_count);

/* The map gives every moment `delay` later from here on. */
void clock_map_delay(struct clock_map *map, time_ns delay);

time_ns clock_map_divide(const struct clock_map *map, uint64_t base, uint64_t ticks);

/* A line is a map as seen from one base, for a span of ticks. The rate is less than 2^-64 too
 * small: a product is right unless its part below 1 is so near to 1 that what it lacks could carry
 * it over. */
struct clock_line {
    const struct clock_map *map;
    uint64_t base;
    uint64_t zero; /* ticks from the earliest calibration to the base */
    uint64_t near; /* parts from here on, in 2^-64, are near to 1; 0: all are */
    uint64_t whole, part;
    time_ns ns;
};

/* The map as seen from `base`, for moments from `first` to `last` ticks after it. */
static inline struct clock_line clock_line_of(const struct clock_map *map, uint64_t base,
                                              uint64_t first, uint64_t last)
{
    uint64_t zero = base - map->ticks, most = (zero + first) | (zero + last);
    bool usual = map->usual && !((base | last) >> 62) && !(most >> 54);
    return (struct clock_line){.map = map,
                               .base = base,
                               .zero = zero,
                               .near = usual ? UINT64_MAX << (64 - __builtin_clzll(most | 1)) : 0,
                               .whole = map->rate_whole,
                               .part = map->rate_part,
                               .ns = map->ns};
}

struct clock_stretch {
    time_ns start, end;
};

/* Start and end in ns, each worked out by itself, by division where its fraction is near to 1. */
struct clock_stretch clock_line_one_by_one(const struct clock_line *line, uint64_t start,
                                           uint64_t end);

/* The two parts or-ed are near to 1 where one of them is, and seldom else. */
static inline struct clock_stretch clock_line_stretch(const struct clock_line *line, uint64_t start,
                                                      uint64_t end)
{
    uint64_t from = line->zero + start, to = line->zero + end;
    unsigned __int128 p = (unsigned __int128)from * line->part;
    unsigned __int128 q = (unsigned __int128)to * line->part;
    if (__builtin_expect(((uint64_t)p | (uint64_t)q) >= line->near, 0))
        return clock_line_one_by_one(line, start, end);
    return (struct clock_stretch){(time_ns)(from * line->whole + (uint64_t)(p >> 64)) + line->ns,
                                  (time_ns)(to * line->whole + (uint64_t)(q >> 64)) + line->ns};
}

/* The moment is `ticks` after `base`. The result is cut to +-2^61, so that differences never
 * overflow. */
static inline time_ns clock_map_ns(const struct clock_map *map, uint64_t base, uint64_t ticks)
{
    struct clock_line line = clock_line_of(map, base, ticks, ticks);
    return clock_line_stretch(&line, ticks, ticks).start;
}

/* The least ticks after `base` at which it is `ns` or later; UINT64_MAX: no ticks are. */
uint64_t clock_map_ticks(const struct clock_map *map, uint64_t base, time_ns ns);

const char *clock_name(uint32_t clock); /* "tsc", "cntvct", "monotonic" */

#endif
