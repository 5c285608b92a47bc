/* From ticks to ns: answers worked out by hand, and what holds of every rate. */
#include "check.h"

#include <stddef.h>

#include "trace/call_times.h"
#include "trace/clock_map.h"

enum { MOST_FILES = 3 };

static uint64_t state = 1;

static uint64_t random_bits(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 8;
}

/* Of files with these calibrations, all by the TSC. */
static struct clock_map map_of(const struct trace_calibration (*points)[2], uint32_t files)
{
    struct trace_file_header headers[MOST_FILES];
    struct trace_reader readers[MOST_FILES];
    struct clock_map maps[MOST_FILES], monotonic;
    for (uint32_t i = 0; i < files; i++) {
        headers[i] = (struct trace_file_header){.clock = TRACE_CLOCK_TSC,
                                                .calibration = {points[i][0], points[i][1]}};
        readers[i] = (struct trace_reader){.header = &headers[i]};
    }
    clock_maps_build(maps, &monotonic, readers, files);
    for (uint32_t i = 1; i < files; i++)
        CHECK(maps[i].ticks == maps[0].ticks && maps[i].tick_span == maps[0].tick_span);
    return maps[0];
}

/* A host of 2.5 ticks a ns: 2500 ticks in 1000 ns. 7 ticks after the start are 2.8 ns, so 2; one
 * tick before it is -0.4 ns, so -1. */
static void test_one_host(void)
{
    struct clock_map map =
        map_of((const struct trace_calibration[][2]){{{100, 50}, {2600, 1050}}}, 1);
    CHECK(map.known);
    CHECK(clock_map_ns(&map, 100, 0) == 0);
    CHECK(clock_map_ns(&map, 0, 107) == 2);
    CHECK(clock_map_ns(&map, 100, 7) == 2);
    CHECK(clock_map_ns(&map, 107, 0) == 2);
    CHECK(clock_map_ns(&map, 0, 2600) == 1000);
    CHECK(clock_map_ns(&map, 0, 99) == -1);
    CHECK(clock_map_ns(&map, 0, 0) == -40);
}

/* A clock slower than a ns, as CNTVCT of 25 MHz: 40 ns a tick. */
static void test_slow_clock(void)
{
    struct clock_map map = map_of((const struct trace_calibration[][2]){{{0, 0}, {25, 1000}}}, 1);
    CHECK(clock_map_ns(&map, 0, 1) == 40);
    CHECK(clock_map_ns(&map, 0, UINT64_C(25000000) * 86400 * 365) ==
          INT64_C(1000000000) * 86400 * 365);
}

/* The rate is from the earliest to the latest point of all files; 0 ns is the earliest moment. */
static void test_several_files(void)
{
    const struct trace_calibration points[][2] = {
        {{5000, 2000}, {6000, 2400}}, {{1000, 400}, {0, 0}}, {{9000, 3600}, {9000, 3600}}};
    struct clock_map map = map_of(points, 3);
    CHECK(map.known && map.tick_span == 8000 && map.ns_span == 3200);
    CHECK(clock_map_ns(&map, 0, 1000) == 0);
    CHECK(clock_map_ns(&map, 0, 5000) == 1600);
}

/* Only the first point: killed before the second was written, or that one is torn. */
static void test_unknown_rate(void)
{
    static const struct trace_calibration second[] = {
        {1000, 5000}, {0, 0}, {2000, 5000}, {999, 6000}};
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        struct clock_map map =
            map_of((const struct trace_calibration[][2]){{{1000, 5000}, second[i]}}, 1);
        CHECK(!map.known);
        CHECK(clock_map_ns(&map, 1000, 77) == 77);
        CHECK(clock_map_ns(&map, 0, 999) == -1);
    }
}

/* CLOCK_MONOTONIC is ns already; beside a TSC, equal moments are equal ns. */
static void test_two_clocks(void)
{
    struct trace_file_header headers[2] = {
        {.clock = TRACE_CLOCK_MONOTONIC, .calibration = {{700, 700}, {900, 900}}},
        {.clock = TRACE_CLOCK_TSC, .calibration = {{4000, 1000}, {8000, 3000}}}};
    struct trace_reader readers[2] = {{.header = &headers[0]}, {.header = &headers[1]}};
    struct clock_map maps[2], monotonic;
    clock_maps_build(maps, &monotonic, readers, 2);
    CHECK(clock_map_ns(&maps[0], 0, 700) == 0 && clock_map_ns(&monotonic, 0, 700) == 0);
    CHECK(clock_map_ns(&maps[0], 0, 1000) == 300);
    CHECK(clock_map_ns(&maps[1], 0, 4000) == 300);
    CHECK(clock_map_ns(&maps[1], 0, 8000) == 2300);
}

/* Each of two runs' files is mapped as it is alone, but for one shift of whole ns; a third, whose
 * driver was killed, has its own calibrations. */
static void test_sealed(void)
{
    struct trace_seal first = {.run = {{1000, 100}, {4001, 1101}}, .bytes = TRACE_PAGE};
    struct trace_seal second = {.run = {{9000, 3000}, {12000, 4001}}, .bytes = TRACE_PAGE};
    struct trace_file_header headers[3] = {
        {.clock = TRACE_CLOCK_TSC, .calibration = {{1000, 100}, {2000, 433}}, .seal = first},
        {.clock = TRACE_CLOCK_TSC, .calibration = {{9500, 3100}, {9600, 3133}}, .seal = second},
        {.clock = TRACE_CLOCK_TSC, .calibration = {{5000, 1500}, {8000, 2500}}}};
    struct trace_reader readers[3] = {
        {.header = &headers[0]}, {.header = &headers[1]}, {.header = &headers[2]}};
    struct clock_map alone[3], maps[3], monotonic;
    for (int i = 0; i < 3; i++)
        clock_maps_build(&alone[i], &monotonic, &readers[i], 1);
    clock_maps_build(maps, &monotonic, readers, 3);
    const time_ns shift[3] = {0, 2900, 1400};
    for (uint64_t t = 0; t < 20000; t += 7)
        for (int i = 0; i < 3; i++)
            CHECK(clock_map_ns(&maps[i], 0, t) == clock_map_ns(&alone[i], 0, t) + shift[i]);
    CHECK(clock_map_ns(&maps[0], 0, 4001) == 1001 && clock_map_ns(&maps[1], 0, 12000) == 3901);
}

/* Two hosts' traces are mapped each by itself: ticks of other numbers and rates, the same ns. */
static void test_two_hosts(void)
{
    struct clock_map fast =
        map_of((const struct trace_calibration[][2]){{{0, 90}, {3000, 1090}}}, 1);
    struct clock_map slow =
        map_of((const struct trace_calibration[][2]){{{UINT64_C(1) << 50, 7},
                                                      {(UINT64_C(1) << 50) + 2000, 1007}}},
               1);
    for (uint64_t us = 0; us < 1000; us++)
        CHECK(clock_map_ns(&fast, 0, 3 * us) == clock_map_ns(&slow, UINT64_C(1) << 50, 2 * us));
}

static void test_ends(void)
{
    struct clock_map map =
        map_of((const struct trace_calibration[][2]){{{1000, 0}, {2000, 1000000}}}, 1);
    CHECK(clock_map_ns(&map, UINT64_MAX, UINT64_MAX) == INT64_C(1) << 61);
    CHECK(clock_map_ns(&map, 0, UINT64_MAX) == INT64_C(1) << 61);
    CHECK(clock_map_ticks(&map, 0, INT64_MAX) == UINT64_MAX);
    CHECK(clock_map_ticks(&map, 0, INT64_MIN) == 0);
    CHECK(clock_map_ticks(&map, 0, 0) == 1000);
    CHECK(clock_map_ticks(&map, 0, 1) == 1001);
    CHECK(clock_map_ticks(&map, 0, -1) == 1000);
    CHECK(clock_map_ticks(&map, 0, -1000) == 999);
    map.ticks = UINT64_MAX;
    CHECK(clock_map_ns(&map, 0, 0) == -(INT64_C(1) << 61));
}

/* Small and huge numbers alike. */
static uint64_t random_number(void)
{
    uint64_t bits = random_bits();
    return bits >> bits % 53;
}

/* By division, in 128 bits; by nothing of clock_map.c. */
static time_ns known_ns(const struct clock_map *map, uint64_t base, uint64_t ticks)
{
    const __int128 most = (__int128)1 << 61;
    __int128 product = ((__int128)base + ticks - map->ticks) * map->ns_span;
    __int128 ns = product / map->tick_span - (product % map->tick_span < 0) + map->ns;
    return (time_ns)(ns > most ? most : ns < -most ? -most : ns);
}

/* All from one line for the stretch; 0 is most often before the first calibration. */
static void check_stretch(const struct clock_map *map, uint64_t base, uint64_t start, uint64_t end)
{
    struct clock_line line = clock_line_of(map, base, start, end);
    for (uint64_t from = start, step = (end - start) / 3 + 1; from <= end; from += step) {
        struct clock_stretch ns = clock_line_stretch(&line, from, end);
        CHECK(ns.start == known_ns(map, base, from) && ns.end == known_ns(map, base, end));
    }
}

/* Calls from `start` to `end`, as every way reads them that this processor has. */
static void check_calls(const struct clock_map *map, uint64_t base, uint64_t start, uint64_t end)
{
    enum { CALLS = 21 };
    struct clock_line line = clock_line_of(map, base, start, end);
    struct trace_function calls[CALLS];
    struct clock_stretch times[CALLS + 1];
    if (end >> 56)
        return;
    for (uint64_t i = 0; i < CALLS; i++) {
        uint64_t from = i ? start + random_bits() % (end - start + 1) : start, most = end - from;
        most = i == 0 || i % 3 ? most : random_bits() % (most + 1);
        most = most > TRACE_DURATION_MAX ? TRACE_DURATION_MAX : most;
        calls[i] = (struct trace_function){TRACE_HEAD(from, TRACE_FUNCTION),
                                           most << TRACE_PROBE_BITS | TRACE_PROBE_MAX};
    }
    const struct call_times *way;
    for (uint32_t place = 0; (way = call_times_at(place)); place++) {
        uint32_t count = (uint32_t)random_bits() % (CALLS + 1);
        times[count].start = 4711;
        way->read(&line, calls, count, times);
        CHECK(times[count].start == 4711);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t from = TRACE_HEAD_TICKS(calls[i].head);
            uint64_t to = from + (calls[i].duration_probe >> TRACE_PROBE_BITS);
            CHECK(times[i].start == known_ns(map, base, from));
            CHECK(times[i].end == known_ns(map, base, to));
        }
    }
}

/* What is reckoned without a division is what the division gives; later is never earlier; a common
 * shift of the ticks changes nothing. */
static void test_any_rate(void)
{
    for (int i = 0; i < 200000; i++) {
        uint64_t first = random_number(), ticks = random_number(), more = random_bits() % 5000;
        const struct trace_calibration points[1][2] = {
            {{first, 50}, {first + 1 + random_number(), 51 + random_number()}}};
        struct clock_map map = map_of(points, 1), shifted = map;
        time_ns now = clock_map_ns(&map, first, ticks);
        CHECK(now == known_ns(&map, first, ticks));
        CHECK(now == clock_map_divide(&map, first, ticks));
        CHECK(clock_map_ns(&map, first + ticks, 0) == now);
        CHECK(clock_map_ns(&map, first, ticks + more) >= now);
        uint64_t least = clock_map_ticks(&map, first, now);
        CHECK(least <= ticks && clock_map_ns(&map, first, least) == now);
        CHECK(least == 0 || clock_map_ns(&map, first, least - 1) < now);
        check_stretch(&map, first, ticks, ticks + more);
        check_stretch(&map, 0, first + ticks / 2, first + ticks);
        if (i % 10 == 0) {
            check_calls(&map, first, ticks, ticks + more);
            check_calls(&map, 0, first + ticks / 2, first + ticks);
        }
        shifted.ticks += 12345;
        CHECK(clock_map_ns(&shifted, first + 12345, ticks) == now);
    }
}

/* Whatever the rate, the lengths of neighbours add up, and each is within 1 ns of its own. */
static void test_lengths(void)
{
    for (int i = 0; i < 1000; i++) {
        uint64_t span = 1 + random_bits() % 100000, ns_span = 1 + random_bits() % 100000;
        const struct trace_calibration points[1][2] = {{{0, 0}, {span, ns_span}}};
        struct clock_map map = map_of(points, 1);
        uint64_t ticks = 0;
        time_ns sum = 0;
        for (int k = 0; k < 100; k++) {
            uint64_t length = random_bits() % 1000;
            time_ns ns = clock_map_ns(&map, 0, ticks + length) - clock_map_ns(&map, 0, ticks);
            double own = (double)length * (double)ns_span / (double)span;
            CHECK((double)ns > own - 1.001 && (double)ns < own + 1.001);
            sum += ns;
            ticks += length;
        }
        CHECK(sum == clock_map_ns(&map, 0, ticks));
        check_calls(&map, 0, 0, ticks);
    }
}

int main(void)
{
    test_one_host();
    test_slow_clock();
    test_several_files();
    test_unknown_rate();
    test_two_clocks();
    test_sealed();
    test_two_hosts();
    test_ends();
    test_any_rate();
    test_lengths();
    return CHECK_DONE();
}
