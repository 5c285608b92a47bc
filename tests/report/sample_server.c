/* A server with more than a screen can hold: thirty stages, and waiters on waiters on waiters. */
#include <stdio.h>

#include "sample.h"

enum { STAGES = 24, FIRST_STAGE = 12 };

static const struct sample_plan PLAN[FIRST_STAGE] = {
    {NODE_INTERVAL, "interval", NODE_NONE, "", 0, 9, false},
    {NODE_FUNCTION, "event_loop_dispatch", 0, "src/loop.c", 10, 8, false},
    {NODE_FUNCTION, "connection_read_ready", 1, "src/conn.c", 20, 7, false},
    {NODE_FUNCTION, "protocol_handle_request", 2, "src/proto.c", 30, 6, false},
    {NODE_CALL, "pthread_mutex_lock", 3, "src/proto.c", 31, 0, false},
    {NODE_WAIT, "wake-up latency", 4, "", 0, 0, false},
    {NODE_WOKEN_BY, "protocol_handle_request", 4, "src/proto.c", 30, 6, true},
    {NODE_WOKEN_BY, "pthread_mutex_lock", 6, "src/proto.c", 31, 0, true},
    {NODE_WOKEN_BY, "protocol_handle_request", 7, "src/proto.c", 30, 6, true},
    {NODE_WOKEN_BY, "pthread_mutex_lock", 8, "src/proto.c", 31, 0, true},
    {NODE_WOKEN_BY, "protocol_handle_request", 9, "src/proto.c", 30, 6, true},
    {NODE_WOKEN_BY, "usleep", 10, "src/proto.c", 32, 0, true},
};

static void plant_stage(struct sample *sample, uint32_t stage)
{
    static char names[STAGES][3][40];
    uint32_t at = FIRST_STAGE + 3 * stage;
    snprintf(names[stage][0], sizeof names[stage][0], "request_stage_%02u", stage + 1);
    snprintf(names[stage][1], sizeof names[stage][1], "request_stage_%02u [body]", stage + 1);
    struct sample_plan function = {NODE_FUNCTION, names[stage][0], 3, "src/stage.c", stage, 2,
                                   false};
    struct sample_plan body = {NODE_BODY, names[stage][1], at, "src/stage.c", stage, 0, false};
    snprintf(names[stage][2], sizeof names[stage][2], "request_stage_%02u_store", stage + 1);
    struct sample_plan store = {NODE_FUNCTION, names[stage][2], at, "src/stage.c", stage, 1, false};
    sample_plant(sample, &function, at);
    sample_plant(sample, &body, at + 1);
    sample_plant(sample, &store, at + 2);
}

void sample_fill_server(struct sample *sample)
{
    for (uint32_t i = 0; i < FIRST_STAGE; i++)
        sample_plant(sample, &PLAN[i], i);
    for (uint32_t i = 0; i < STAGES; i++)
        plant_stage(sample, i);
    for (uint64_t i = 0; i < sample->tree.intervals.count; i++) {
        sample->cells[5][i] = 100 + sample_random_below(2000);
        sample->cells[11][i] = sample_random_below(20) ? 0 : sample_random_below(60000);
        for (uint32_t k = 0; k < STAGES; k++) {
            sample->cells[FIRST_STAGE + 3 * k + 1][i] = sample_random_below(10000 - 300 * k);
            sample->cells[FIRST_STAGE + 3 * k + 2][i] = sample_random_below(10000 - 300 * k);
        }
    }
}
