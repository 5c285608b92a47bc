/* thread_life.h and pair_window.h: a run of 10 s whose waits are known. */
#include "check.h"

#include <stdio.h>

#include "made_run.h"
#include "waits/pair_window.h"
#include "waits/thread_life.h"
#include "waits/waits.h"

static const time_ns MS = 1000000, END = 10000 * (time_ns)1000000;

/* Thread 2 waits 10 ms of every 100 ms for 3; 150 ms from 4.0 s on in five waits; and once 400 ms, from 7 s. */
static void make(struct made_run *run)
{
    made_run_begin(run, 3);
    run->side.tasks[2].name = "who";
    run->side.tasks[3].name = "whom";
    for (time_ns at = 0; at < END; at += 100 * MS) {
        if (at == 4000 * MS) {
            for (time_ns i = 0; i < 5; i++)
                made_run_off(run, 2, at + i * 35 * MS, at + (i * 35 + 30) * MS,
                             at + (i * 35 + 31) * MS, OFF_THREAD, 3);
            at += 100 * MS;
        } else if (at == 7000 * MS) {
            made_run_off(run, 2, at, at + 400 * MS, at + 410 * MS, OFF_THREAD, 3);
            at += 400 * MS;
        } else {
            made_run_off(run, 2, at + 50 * MS, at + 60 * MS, at + 65 * MS, OFF_THREAD, 3);
        }
    }
    made_run_end(run, END);
}

static uint32_t edge_of(const struct waits *waits)
{
    for (uint32_t e = 0; e < waits->graph.edge_count; e++)
        if (waits->graph.edges[e].from == waits->graph.group_of[2] &&
            waits->graph.edges[e].to == waits->graph.group_of[3])
            return e;
    return UINT32_MAX;
}

static void test_windows(const struct waits *waits)
{
    struct pair_windows windows;
    CHECK(edge_of(waits) != UINT32_MAX && pair_windows_find(&windows, &waits->graph, edge_of(waits),
                                                            &waits->cascade, &waits->list));
    CHECK(windows.who == 2 && windows.whom == 3);
    /* 200 ms of the longest wait are as full as can be. */
    CHECK(windows.from[PAIR_DENSEST] == 7000 * MS || windows.from[PAIR_DENSEST] == 7100 * MS ||
          windows.from[PAIR_DENSEST] == 7200 * MS);
    CHECK(windows.waited[PAIR_DENSEST] == 200 * MS);
    CHECK(windows.until[PAIR_TYPICAL] - windows.from[PAIR_TYPICAL] == 200 * MS);
    CHECK(windows.waited[PAIR_TYPICAL] == 20 * MS);
    /* All of it, and a tenth on each side. */
    CHECK(windows.from[PAIR_LONGEST] == 6960 * MS && windows.until[PAIR_LONGEST] == 7440 * MS);
    CHECK(windows.waited[PAIR_LONGEST] == 400 * MS);
}

/* Where more happens than a picture shows, the window is shorter, and still holds the waits. */
static void test_short_windows(void)
{
    struct made_run run;
    struct error error;
    struct pair_windows windows;
    made_run_begin(&run, 3);
    run.side.tasks[2].name = "who";
    run.side.tasks[3].name = "whom";
    for (time_ns at = 0; at < 1000 * MS; at += MS / 10)
        made_run_off(&run, 2, at + 20000, at + (at > 500 * MS ? 80000 : 40000), at + 90000,
                     OFF_THREAD, 3);
    made_run_end(&run, 1000 * MS);
    struct waits *waits = waits_find(&run.timelines, &error);
    CHECK(
        pair_windows_find(&windows, &waits->graph, edge_of(waits), &waits->cascade, &waits->list));
    for (int k = 0; k < PAIR_WINDOWS; k++) {
        struct thread_life life;
        thread_life_find(&life, &waits->vertices, 2, windows.from[k], windows.until[k]);
        CHECK(life.count > PAIR_MOST_STRETCHES / 4 && life.count <= PAIR_MOST_STRETCHES);
        CHECK(windows.waited[k] > 0);
        thread_life_release(&life);
    }
    CHECK(windows.from[PAIR_DENSEST] >= 500 * MS);
    waits_release(waits);
    made_run_release(&run);
}

/* Of a thread that is there all the time, its stretches are the window, to the ns. */
static void test_life(const struct waits *waits)
{
    struct thread_life life;
    time_ns sums[3] = {0}, last = 3950 * MS;
    thread_life_find(&life, &waits->vertices, 2, 3950 * MS, 4450 * MS);
    for (size_t i = 0; i < life.count; i++) {
        CHECK(life.items[i].from == last && life.items[i].until > last);
        CHECK(life.items[i].state != THREAD_BLOCKED || life.items[i].whom == 3);
        sums[life.items[i].state] += life.items[i].until - life.items[i].from;
        last = life.items[i].until;
    }
    CHECK(last == 4450 * MS);
    /* 10 at 3950, five of 30, and 10 each at 4250 and 4350. */
    CHECK(sums[THREAD_BLOCKED] == (10 + 150 + 20) * MS);
    CHECK(sums[THREAD_WANTS] == (5 + 5 + 10) * MS);
    CHECK(sums[THREAD_RUNS] == 500 * MS - (180 + 20) * MS);
    thread_life_release(&life);
    thread_life_find(&life, &waits->vertices, vertex_of_kind(&waits->vertices, VERTEX_TIMER), 0,
                     END);
    CHECK(life.count == 0);
    thread_life_release(&life);
}

int main(void)
{
    struct made_run run;
    struct error error;
    make(&run);
    struct waits *waits = waits_find(&run.timelines, &error);
    test_windows(waits);
    test_life(waits);
    waits_release(waits);
    made_run_release(&run);
    test_short_windows();
    return CHECK_DONE();
}
