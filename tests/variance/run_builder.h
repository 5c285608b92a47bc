/* run_builder.h - a run and its function table, written down by hand, for the tests.
 *
 *     struct run_builder b;
 *     run_builder_init(&b);
 *     uint32_t serve = run_builder_function(&b, "serve", true);
 *     uint32_t p = run_builder_probe(&b, PROBE_FUNCTION, serve, FUNCTION_NONE);
 *     uint32_t t = run_builder_thread(&b, 100);
 *     run_builder_enter(&b, t, 10, p, 0); run_builder_leave(&b, t, 60);
 *     uint32_t i = run_builder_interval(&b, t, 0, t, 80);
 *     run_builder_label(&b, t, 0, i); run_builder_label(&b, t, 80, INTERVAL_NONE);
 *     run_builder_rows(&b)                           "interval 0: . 30; serve 50\n"
 *
 * A path is printed from the root down: "serve/lock/<compact", where < is woken-by, (...) a wait,
 * [...] a queue, {...} for whom the waker worked, ? unexplained, and . the root's own time. Times
 * of a thread are given in order.
 */
#ifndef TESTS_RUN_BUILDER_H
#define TESTS_RUN_BUILDER_H

#include "trace/timeline.h"
#include "variance/variance.h"

struct built_thread {
    uint32_t span_capacity, label_capacity, block_capacity, pickup_capacity;
    uint32_t open; /* innermost span that is not closed */
};

struct run_builder {
    struct timelines run;
    struct function_table table;
    struct timeline_process process;
    struct built_thread *built;
    uint32_t function_capacity, probe_capacity, thread_capacity, built_count, built_capacity;
    uint32_t interval_capacity;
    char *text;
};

void run_builder_init(struct run_builder *b);
void run_builder_release(struct run_builder *b);

uint32_t run_builder_function(struct run_builder *b, const char *name, bool body);
void run_builder_call(struct run_builder *b, uint32_t caller, uint32_t callee);
uint32_t run_builder_probe(struct run_builder *b, enum probe_kind kind, uint32_t function,
                           uint32_t within);
uint32_t run_builder_thread(struct run_builder *b, uint32_t tid);
void run_builder_enter(struct run_builder *b, uint32_t thread, time_ns time, uint32_t probe,
                       uint64_t target);
void run_builder_leave(struct run_builder *b, uint32_t thread, time_ns time);
void run_builder_label(struct run_builder *b, uint32_t thread, time_ns time, uint32_t interval);
void run_builder_block(struct run_builder *b, uint32_t thread, struct block block);
void run_builder_pickup(struct run_builder *b, uint32_t thread, struct pickup pickup);
uint32_t run_builder_interval(struct run_builder *b, uint32_t begin_thread, time_ns begin,
                              uint32_t end_thread, time_ns end);

/* The interval table as text, cells sorted by path; owned by the builder. */
const char *run_builder_rows(struct run_builder *b);
/* Of another run, with the builder's functions. */
const char *run_builder_rows_of(struct run_builder *b, const struct timelines *run);
/* The same, where what blocked is told by its object: "lock (queue.lock)". */
const char *run_builder_rows_by_object(struct run_builder *b, const struct timelines *run);
/* Compares it with `expected`; says what differs. */
bool run_builder_expect(struct run_builder *b, const char *name, const char *expected);

#endif
