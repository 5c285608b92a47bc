/* watched_interval.h: which intervals count, worked out by hand.
 *
 *   ms         0      100      200     300      400      500      600
 *   recorded   |-------|                |--------|                  (until the end)
 *                       pause [100, 300]          pause [400, 600]
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "trace/off_cpu.h"
#include "trace/watched_interval.h"

#define MS(n) ((n)*INT64_C(1000000))

enum { MOST = 1000 };

static struct interval intervals[MOST];
static struct kernel_pause pauses[] = {{MS(100), MS(300)}, {MS(400), MS(600)}};
static struct kernel_side side;
static struct timelines run;

static void begin(void)
{
    memset(intervals, 0, sizeof intervals);
    side = (struct kernel_side){.pauses = pauses, .pause_count = 2};
    run = (struct timelines){.intervals = intervals, .kernel_side = &side};
}

static void add(double begin_ms, double length_ms)
{
    time_ns at = (time_ns)(begin_ms * 1e6);
    intervals[run.interval_count++] =
        (struct interval){.begin = at, .end = at + (time_ns)(length_ms * 1e6), .complete = true};
}

/* 700 of them, one each ms; those in the second window's last 10 ms and the first one's do not
 * count, for the longest has 10 ms. */
static void by_their_beginning(void)
{
    begin();
    for (int i = 0; i < 700; i++)
        add(i, i == 350 ? 10 : 0.5);
    watched_intervals_keep(&run, 200);
    for (int i = 0; i < 700; i++) {
        bool first = i < 90, second = i >= 300 && i < 390, third = i >= 600;
        CHECK(intervals[i].complete == (first || second || third));
    }
    CHECK(side.intervals_paused == 700 - 90 - 90 - 100);
    CHECK(run.intervals_outside == side.intervals_paused);
}

/* A margin takes no more than half a window, though one interval is longer. */
static void half_a_window(void)
{
    begin();
    for (int i = 0; i < 700; i++)
        add(i, i == 610 ? 80 : 0.5);
    for (int i = 0; i < 100; i++)
        add(620, 1);
    watched_intervals_keep(&run, 200);
    CHECK(intervals[349].complete && !intervals[350].complete);
    CHECK(intervals[19].complete && !intervals[20].complete); /* that window began before the run */
}

/* The chance to count does not go with the length: a quarter of all are long, and of those that
 * count, though long ones need not end in their window. */
static void long_ones_are_as_likely(void)
{
    begin();
    for (int i = 0; i < 1000; i++)
        add(i * 0.65, i % 4 ? 1 : 70);
    watched_intervals_keep(&run, 200);
    int count = 0, large = 0;
    for (int i = 0; i < 1000; i++) {
        count += intervals[i].complete;
        large += intervals[i].complete && i % 4 == 0;
    }
    CHECK(count >= 200 && abs(4 * large - count) <= 8);
}

static void too_few(void)
{
    begin();
    for (int i = 0; i < 70; i++)
        add(10 * i, 1);
    watched_intervals_keep(&run, 200);
    for (int i = 0; i < 70; i++)
        CHECK(intervals[i].complete);
    CHECK(!side.intervals_paused && !run.intervals_outside);
}

/* Of what the file held before the pause whose beginning is not there, nothing is known. */
static void beginning_is_lost(void)
{
    struct kernel_pause open[] = {{INT64_MIN, MS(300)}, {MS(600), INT64_MAX}};
    begin();
    side.pauses = open;
    for (int i = 0; i < 1000; i++)
        add(i, 1);
    watched_intervals_keep(&run, 200);
    CHECK(!intervals[0].complete && !intervals[299].complete && intervals[300].complete);
    CHECK(intervals[598].complete && !intervals[600].complete && !intervals[999].complete);
}

static void nothing_paused(void)
{
    begin();
    side.pause_count = 0;
    for (int i = 0; i < 700; i++)
        add(i, 1);
    watched_intervals_keep(&run, 200);
    run.kernel_side = NULL;
    watched_intervals_keep(&run, 200);
    for (int i = 0; i < 700; i++)
        CHECK(intervals[i].complete);
}

int main(void)
{
    by_their_beginning();
    half_a_window();
    long_ones_are_as_likely();
    too_few();
    beginning_is_lost();
    nothing_paused();
    return CHECK_DONE();
}
