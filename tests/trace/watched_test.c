/* watched.h and totals_importer.c: what is said of a run holds of each of its processes. */
#include "check.h"

#include <stdlib.h>

#include "trace/importer.h"
#include "trace/watched.h"

extern const struct importer totals_importer;

#define ALL TRACE_WATCHED_ALL
#define OWN TRACE_WATCHED_OWN
#define TOTALS TRACE_WATCHED_TOTALS
#define NOTHING TRACE_WATCHED_NOTHING
enum { LATER = 9, RUNS_ON = 0 };

struct file {
    uint64_t from, until;
    uint32_t watched;
};

static enum trace_watched of(uint32_t processes, uint32_t count, const struct file *files)
{
    static struct trace_file_header headers[4];
    struct trace_reader readers[4] = {{.path = NULL}};
    for (uint32_t i = 0; i < count; i++) {
        headers[i] = (struct trace_file_header){
            .calibration = {{0, files[i].from}, {0, files[i].until}},
            .watched = files[i].watched,
            .end = files[i].until == RUNS_ON ? TRACE_RUNNING : TRACE_EXITED};
        readers[i].header = &headers[i];
    }
    return watched_of_all(readers, processes, count);
}
#define OF(processes, ...)                                                                         \
    of(processes, sizeof(struct file[]){__VA_ARGS__} / sizeof(struct file),                        \
       (struct file[]){__VA_ARGS__})

static void check_watched(void)
{
    CHECK(OF(0, {1, 9, ALL}) == ALL &&
          OF(0, {1, 9, OWN}, {11, 19, 0}) == OWN); /* no process left a trace */
    CHECK(OF(1, {2, 8, 0}) == NOTHING);
    CHECK(OF(1, {2, 8, 0}, {1, 9, ALL}) == ALL);
    CHECK(OF(1, {2, 8, 0}, {1, 9, LATER}) == NOTHING);
    CHECK(OF(1, {2, 8, 0}, {1, 9, OWN}, {1, 9, TOTALS}) == OWN);
    /* The second process's run has another recorder, or none. */
    CHECK(OF(2, {2, 8, 0}, {12, 18, 0}, {1, 9, ALL}, {11, 19, TOTALS}) == TOTALS);
    CHECK(OF(2, {2, 8, 0}, {12, 18, 0}, {1, 9, ALL}) == NOTHING);
    CHECK(OF(2, {12, 18, 0}, {2, 8, 0}, {1, 9, ALL}) == NOTHING);
    /* A recorder that has no end goes on; a process was there when it began at least. */
    CHECK(OF(2, {12, RUNS_ON, 0}, {22, 28, 0}, {11, RUNS_ON, ALL}) == ALL);
    CHECK(OF(1, {2, RUNS_ON, 0}, {11, RUNS_ON, ALL}) == NOTHING);
    CHECK(watched_lesser(ALL, NOTHING) == NOTHING && watched_lesser(TOTALS, OWN) == TOTALS);
}

static void take(void *state, uint32_t pid, uint32_t tid, uint64_t ran, uint64_t runnable)
{
    struct trace_totals totals = {.pid = pid, .tid = tid, .ran_ns = ran, .runnable_ns = runnable};
    struct trace_record record = {.kind = TRACE_TOTALS, .data = &totals};
    totals_importer.take(state, NULL, &record);
}

static void check_totals(void)
{
    void *state = calloc(1, totals_importer.state_bytes);
    struct timeline_process processes[] = {{.pid = 100}, {.pid = 101}};
    struct timelines run = {.processes = processes, .process_count = 2};
    struct loading loading = {.run = &run};
    totals_importer.begin_file(state, NULL, NULL);
    take(state, 100, 100, 10, 1); /* the last one of a thread counts */
    take(state, 100, 100, 50, 5);
    take(state, 100, 102, 1000, 100);
    take(state, 101, 101, 20, 9);
    take(state, 101, 101, 3, 2);             /* another thread with its id */
    take(state, 777, 777, 1 << 20, 1 << 20); /* a compiler, say */
    totals_importer.begin_file(state, NULL, NULL);
    take(state, 100, 100, 100000, 10000); /* of the run after it */
    totals_importer.build(state, &loading);
    CHECK(run.total_ran_ns == 50 + 1000 + 20 + 3 + 100000);
    CHECK(run.total_runnable_ns == 5 + 100 + 9 + 2 + 10000);
    totals_importer.release(state);
    free(state);
}

int main(void)
{
    check_watched();
    check_totals();
    return CHECK_DONE();
}
