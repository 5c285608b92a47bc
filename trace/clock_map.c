#include "trace/clock_map.h"

#include "trace/calibration.h"

#define LARGEST_NS (INT64_C(1) << 61)

static void map_rate(struct clock_map *map)
{
    unsigned __int128 rate = ((unsigned __int128)map->ns_span << 64) / map->tick_span;
    map->rate_whole = (uint64_t)(rate >> 64);
    map->rate_part = (uint64_t)rate;
    map->usual =
        map->rate_whole < 64 && !(map->ticks >> 62) && map->ns >= 0 && map->ns < LARGEST_NS / 2;
}

static void clock_map_init(struct clock_map *map, const struct calibration_range *range,
                           uint64_t origin_ns)
{
    uint64_t tick_span = range->last.ticks - range->first.ticks;
    uint64_t ns_span = range->last.monotonic_ns - range->first.monotonic_ns;
    map->ticks = range->first.ticks;
    map->ns = (time_ns)(range->first.monotonic_ns - origin_ns);
    map->known = tick_span > 0 && range->last.monotonic_ns > range->first.monotonic_ns &&
                 ns_span < (uint64_t)LARGEST_NS;
    map->tick_span = map->known ? tick_span : 1;
    map->ns_span = map->known ? ns_span : 1;
    map_rate(map);
}

static bool is_sealed(const struct trace_file_header *header)
{
    return header->seal.bytes > 0 && calibration_is_sane(header->seal.run);
}

static const struct trace_calibration *calibration_of(const struct trace_file_header *header)
{
    return is_sealed(header) ? header->seal.run : header->calibration;
}

static void map_file(struct clock_map *map, const struct trace_file_header *header,
                     const struct calibration_range *unsealed, uint64_t origin_ns)
{
    struct calibration_range sealed = {header->seal.run[0], header->seal.run[1], true};
    clock_map_init(map, is_sealed(header) ? &sealed : &unsealed[header->clock], origin_ns);
}

void clock_maps_build(struct clock_map *maps, struct clock_map *monotonic,
                      const struct trace_reader *readers, uint32_t reader_count)
{
    struct calibration_range ranges[TRACE_CLOCK_MONOTONIC + 1] = {0};
    uint64_t origin_ns = UINT64_MAX;
    for (uint32_t i = 0; i < reader_count; i++) {
        const struct trace_file_header *header = readers[i].header;
        uint64_t first_ns = calibration_of(header)[0].monotonic_ns;
        origin_ns = first_ns < origin_ns ? first_ns : origin_ns;
        if (!is_sealed(header))
            calibration_range_add(&ranges[header->clock], header->calibration);
    }
    *monotonic =
        (struct clock_map){.ticks = origin_ns, .tick_span = 1, .ns_span = 1, .known = true};
    map_rate(monotonic);
    for (uint32_t i = 0; i < reader_count; i++)
        if (readers[i].header->clock == TRACE_CLOCK_MONOTONIC)
            maps[i] = *monotonic;
        else
            map_file(&maps[i], readers[i].header, ranges, origin_ns);
}

void clock_map_delay(struct clock_map *map, time_ns delay)
{
    map->ns += delay;
    map_rate(map);
}

static time_ns ns_cut(__int128 ns)
{
    if (ns > LARGEST_NS)
        return LARGEST_NS;
    return ns < -LARGEST_NS ? -LARGEST_NS : (time_ns)ns;
}

time_ns clock_map_divide(const struct clock_map *map, uint64_t base, uint64_t ticks)
{
    __int128 since = (__int128)base + ticks - map->ticks;
    __int128 product = since * map->ns_span;
    __int128 ns = product / map->tick_span;
    if (product < 0 && ns * map->tick_span != product)
        ns--;
    return ns_cut(ns + map->ns);
}

static time_ns line_ns(const struct clock_line *line, uint64_t ticks)
{
    uint64_t since = line->zero + ticks;
    unsigned __int128 product = (unsigned __int128)since * line->part;
    if ((uint64_t)product >= line->near)
        return clock_map_divide(line->map, line->base, ticks);
    return (time_ns)(since * line->whole + (uint64_t)(product >> 64)) + line->ns;
}

struct clock_stretch clock_line_one_by_one(const struct clock_line *line, uint64_t start,
                                           uint64_t end)
{
    return (struct clock_stretch){line_ns(line, start), line_ns(line, end)};
}

uint64_t clock_map_ticks(const struct clock_map *map, uint64_t base, time_ns ns)
{
    __int128 after = (__int128)ns - map->ns, most = (__int128)1 << 66;
    unsigned __int128 product = (unsigned __int128)(after < 0 ? -after : after) * map->tick_span;
    unsigned __int128 whole = product / map->ns_span;
    if (ns > LARGEST_NS || ns <= -LARGEST_NS)
        return ns < 0 ? 0 : UINT64_MAX;
    if (after > 0 && whole * map->ns_span != product)
        whole++;
    __int128 since = whole < (unsigned __int128)most ? (__int128)whole : most;
    __int128 ticks = (after < 0 ? -since : since) + map->ticks - base;
    return ticks < 0 ? 0 : ticks < UINT64_MAX ? (uint64_t)ticks : UINT64_MAX;
}

const char *clock_name(uint32_t clock)
{
    switch (clock) {
    case TRACE_CLOCK_TSC:
        return "tsc";
    case TRACE_CLOCK_CNTVCT:
        return "cntvct";
    default:
        return "monotonic";
    }
}
