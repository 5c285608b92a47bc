/* sim_calls.h - threads that call functions at random, with the truth about each call, and the moments
 * at which a clock, switches or system calls would have shown their stacks.
 *
 *     struct sim_thread thread = {0};
 *     sim_thread_run(&thread, &tree, &wish, &state);
 *     struct stack_moments moments = {0};
 *     sim_thread_sample(&thread, SIM_FIXED, period, &moments, &state);
 *     sim_thread_release(&thread);
 *
 * All of it is drawn from `state` (tests/variance/drawn.h). Moments borrow the thread.
 */
#ifndef TESTS_STACKS_SIM_CALLS_H
#define TESTS_STACKS_SIM_CALLS_H

#include "base/arena.h"
#include "stacks/stack_moment.h"

enum sim_clock {
    SIM_FIXED,
    SIM_JITTERED,
    SIM_EXPONENTIAL,
    SIM_SWITCHES,
    SIM_SYSTEM_CALLS,
    SIM_ALL,
    SIM_CLOCKS
};

struct sim_wish {
    double mean_ns;  /* from one step to the next: a call, a return, a wait */
    double off_part; /* of the steps, those that wait */
    uint32_t functions, most_depth;
    time_ns duration;
    bool addresses; /* it is known where functions are called from */
};

struct sim_segment {
    time_ns from, to;
    uint32_t node;
    uint32_t call;         /* the innermost one */
    const uint64_t *calls; /* as in struct stack_moment */
    bool off, entered;     /* it waits; it is the first of its innermost call */
};

struct sim_call {
    time_ns begin, end;
    uint32_t node;
    uint32_t parent; /* itself of the outermost */
};

struct sim_thread {
    struct sim_segment *segments; /* by time, without gaps */
    size_t count, capacity;
    struct sim_call *calls; /* by begin */
    size_t call_count, call_capacity;
    struct arena arena;
};

void sim_thread_run(struct sim_thread *thread, struct context_tree *tree,
                    const struct sim_wish *wish, uint64_t *state);
void sim_thread_sample(const struct sim_thread *thread, enum sim_clock clock, time_ns period,
                       struct stack_moments *moments, uint64_t *state);
void sim_thread_release(struct sim_thread *thread);
/* The call of a context that the thread was in at a moment, or NULL. */
const struct sim_call *sim_thread_call(const struct sim_thread *thread, uint32_t node,
                                       time_ns time);

/* 0 <= x < 1, and an exponential number. */
double sim_part(uint64_t *state);
double sim_exponential(uint64_t *state, double mean);

#endif
