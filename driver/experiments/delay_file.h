/* delay_file.h - experiments, as the processes of a run are told of them (trace/delay_format.h).
 *
 *     struct trace_delays *delays = delay_file_make("rounds/01/trace", &error);
 *     delay_file_begin(delays, &(struct delay_setting){.target = 1, .level = 0.5});
 *     delay_file_release(delays);
 */
#ifndef DRIVER_EXPERIMENTS_DELAY_FILE_H
#define DRIVER_EXPERIMENTS_DELAY_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "driver/experiments/code_goal.h"
#include "trace/delay_format.h"

struct delay_setting {
    uint32_t target; /* its number */
    double level;    /* part of its time that it seems not to take */
    uint32_t step_ns;
    bool noted;                   /* the target's time has records */
    uint32_t kind, classes;       /* enum trace_delay_kind, enum trace_wait_class */
    const struct code_goal *code; /* of TRACE_DELAY_CODE */
};

/* NULL: it can't be made. */
struct trace_delays *delay_file_make(const char *folder, struct error *error);
/* Before the program begins: where units of work begin that no probe tells of; NULL: nowhere. */
void delay_file_set_place(struct trace_delays *delays, const struct code_goal *place);
/* The next experiment begins: threads come to it one after the other. */
void delay_file_begin(struct trace_delays *delays, const struct delay_setting *setting);
/* Intervals that begin from now on are of the window; or not any more. */
void delay_file_count(struct trace_delays *delays, bool counting);
void delay_file_release(struct trace_delays *delays);

/* What processes add up. */
static inline uint64_t delay_file_sum(const uint64_t *sum)
{
    return __atomic_load_n(sum, __ATOMIC_RELAXED);
}

/* Processes whose ids are told. */
static inline uint32_t delay_file_members(const struct trace_delays *delays)
{
    uint64_t count = delay_file_sum(&delays->member_count);
    return count < TRACE_DELAYS_MEMBERS ? (uint32_t)count : TRACE_DELAYS_MEMBERS;
}

#endif
