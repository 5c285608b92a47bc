/* sim_answer.h - who waited for whom in a run that sim_scheduler.h made, by the definitions alone.
 *
 *     out ------ waking ------ in        [out, waking] it waits for who woke it,
 *                                        [waking, in] for whoever has the processor that it comes back to
 *
 * A wait is looked for in the events of its thread, forwards and backwards from each switch. Waits are
 * cascaded by the recursion that wPerf's paper defines: each wait of a thread of the run is a root, and
 * while whom it waits for waits itself, that wait counts for it, too. There is no sweep here.
 */
#ifndef TESTS_SIM_ANSWER_H
#define TESTS_SIM_ANSWER_H

#include "sim_scheduler.h"

#define SIM_WINDOWS 20u
#define SIM_NOBODY UINT32_MAX

/* Vertices: the tasks, then these, then the devices. */
enum sim_vertex {
    SIM_VERTEX_TIMER,
    SIM_VERTEX_NETWORK,
    SIM_VERTEX_INTERRUPT,
    SIM_VERTEX_UNKNOWN,
    SIM_VERTICES
};

struct sim_wait {
    int64_t begin, end;
    uint32_t who, whom; /* vertices */
};

struct sim_pair {
    uint32_t who, whom;
    uint64_t count;
    int64_t longest, raw, cascaded, leaf;
    int64_t raw_in[SIM_WINDOWS], cascaded_in[SIM_WINDOWS]; /* of a thread of the run */
};

/* Who wanted a processor while who had it, or SIM_NOBODY. */
struct sim_charge {
    uint32_t who, had;
    int64_t time;
};

struct sim_answer {
    const struct sim_scheduler *sim; /* borrowed */
    struct sim_event *events;        /* in order of time */
    struct sim_wait *waits;
    size_t wait_count, wait_capacity;
    struct sim_pair *pairs;
    size_t pair_count, pair_capacity;
    struct sim_charge *charges;
    size_t charge_count, charge_capacity;
    uint32_t vertices;
    int64_t *blame, *unfinished, *ran; /* by vertex */
    int64_t from, until, recorded, recorded_in[SIM_WINDOWS];
    uint64_t early; /* how often a thread was woken before it went */
    bool circle;    /* waits stand in one: the rest is not worked out */
};

void sim_answer_find(struct sim_answer *answer, const struct sim_scheduler *sim);
void sim_answer_release(struct sim_answer *answer);
const struct sim_pair *sim_answer_pair(const struct sim_answer *answer, uint32_t who,
                                       uint32_t whom);

#endif
