/* span_view_innermost, timeline_label_at, timeline_block_before; the clock's map. */
#include "check.h"

#include "trace/clock_map.h"
#include "trace/span_view.h"

/* The probe of the innermost call, or 0. */
static uint32_t innermost(struct timeline_thread *thread, time_ns time)
{
    struct timelines run = {.threads = thread, .thread_count = 1};
    struct span_cache cache;
    struct span_view view;
    span_cache_init(&cache, &run);
    span_view_seek(&view, &cache, thread, time);
    uint32_t i = span_view_innermost(&view, time);
    uint32_t probe = i == SPAN_NONE ? 0 : view.spans[i].probe;
    span_cache_release(&cache);
    return probe;
}

static void test_innermost(void)
{
    struct span spans[] = {{10, 50, 1, SPAN_NONE, 0},
                           {20, 30, 2, 0, 0},
                           {20, 25, 3, 1, 0},
                           {40, 45, 4, 0, 0},
                           {60, 60, 5, SPAN_NONE, 0}};
    struct timeline_thread thread = {.spans = spans, .span_count = 5};
    CHECK(innermost(&thread, 9) == 0);
    CHECK(innermost(&thread, 10) == 1);
    CHECK(innermost(&thread, 20) == 3);
    CHECK(innermost(&thread, 24) == 3);
    CHECK(innermost(&thread, 25) == 2);
    CHECK(innermost(&thread, 30) == 1);
    CHECK(innermost(&thread, 44) == 4);
    CHECK(innermost(&thread, 49) == 1);
    CHECK(innermost(&thread, 50) == 0);
    CHECK(innermost(&thread, 60) == 0);
    struct timeline_thread empty = {0};
    CHECK(innermost(&empty, 0) == 0);
}

static void test_before(void)
{
    struct label labels[] = {{10, 0}, {20, INTERVAL_NONE}, {20, 1}};
    struct block blocks[] = {{.start = 5, .end = 8}, {.start = 9, .end = 12}};
    struct timeline_thread thread = {
        .labels = labels, .label_count = 3, .blocks = blocks, .block_count = 2};
    CHECK(timeline_label_at(&thread, 9) == -1);
    CHECK(timeline_label_at(&thread, 19) == 0);
    CHECK(timeline_label_at(&thread, 20) == 2);
    CHECK(timeline_block_before(&thread, 4) == -1);
    CHECK(timeline_block_before(&thread, 8) == 0);
    CHECK(timeline_block_before(&thread, 100) == 1);
}

static void test_clock(void)
{
    struct trace_file_header headers[2] = {
        {.clock = TRACE_CLOCK_TSC, .calibration = {{1000, 5000}, {1000, 5000}}},
        {.clock = TRACE_CLOCK_TSC,
         .calibration = {{UINT64_C(3) << 40, 7000}, {UINT64_C(4) << 40, UINT64_C(1) << 40}}}};
    struct trace_reader readers[2] = {{.header = &headers[0]}, {.header = &headers[1]}};
    struct clock_map maps[TRACE_CLOCK_MONOTONIC + 1];
    clock_maps_build(maps, readers, 1);
    CHECK(!maps[TRACE_CLOCK_TSC].known);
    CHECK(clock_map_ns(&maps[TRACE_CLOCK_TSC], 1000, 77) == 77);
    clock_maps_build(maps, readers, 2);
    const struct clock_map *map = &maps[TRACE_CLOCK_TSC];
    CHECK(map->known);
    CHECK(clock_map_ns(map, 0, 1000) == 0);
    CHECK(clock_map_ns(map, 0, UINT64_C(4) << 40) == (INT64_C(1) << 40) - 5000);
    CHECK(clock_map_ns(map, 0, 999) == -1);
    CHECK(clock_map_ns(map, UINT64_MAX, UINT64_MAX) == INT64_C(1) << 61);
    time_ns last = clock_map_ns(map, 0, 0);
    for (uint64_t ticks = 1; ticks < 5000; ticks++) {
        time_ns now = clock_map_ns(map, 0, ticks);
        CHECK(now >= last && now <= last + 1);
        last = now;
    }
}

int main(void)
{
    test_innermost();
    test_before();
    test_clock();
    return CHECK_DONE();
}
