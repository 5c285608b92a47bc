/* runner.h - a program that is experimented with: it is started, waited for, and one experiment is made with it.
 *
 *     runner_start_again(r, &error)      from where its first units of work are done
 *     runner_experiment(r, &step)        begins, washes out, counts, drains, ends
 *
 * What is known of it are the sums of delays.shm (trace/delay_format.h).
 */
#ifndef DRIVER_EXPERIMENTS_RUNNER_H
#define DRIVER_EXPERIMENTS_RUNNER_H

#include "causal/plan.h"
#include "driver/experiments/delay_file.h"
#include "driver/experiments/experiment_wish.h"
#include "driver/workbench/switch_file.h"
#include "sampler/recorder_file.h"
#include "trace/experiment.h"

#define RUNNER_WASH_PART 0.15 /* of an experiment (chosen) */

/* What is known of a target before it is experimented with. */
struct pilot {
    double work_s;     /* units of work a second */
    double processors; /* that it keeps busy */
    double calls_s;    /* of it, a second */
    uint32_t step_ns;
    bool called; /* or in a call already */
};

struct runner {
    const struct experiment_wish *wish;
    struct target_round round;
    struct target_command command;
    bool started;
    struct switch_file switches;
    struct trace_delays *delays;
    struct recorder_file file;
    struct pilot *pilots;
    unsigned char *roles;
    double window_s; /* of real time without a delay */
    size_t switched; /* the target whose probes are on, from 1 */
    uint32_t ended_runs;
    double screening_s; /* planned for that */
    double later_s;     /* planned for what comes after these experiments */
    double from_s;      /* when experiments began; 0: not yet */
    struct experiment_plan plan;
    struct str outside; /* who is connected with the program, and is no part of it; or empty */
};

typedef bool (*runner_condition)(const struct runner *r, uint64_t value);

/* Units of work that were completed; of a program that marks none, intervals. */
uint64_t runner_work_done(const struct runner *r);
/* False: the program has ended, or vprofiler was interrupted. */
bool runner_goes_on(const struct runner *r);
/* Waits until `done`, for the longest so long. */
bool runner_wait(const struct runner *r, runner_condition done, uint64_t value, double most_s);
bool runner_never(const struct runner *r, uint64_t value);

bool runner_start(struct runner *r, struct error *error);
/* A program that ends is run again, from where the plan is. */
bool runner_start_again(struct runner *r, struct error *error);
bool runner_end(struct runner *r, struct error *error);
/* Where the kernel refuses to count the threads' time this tells what comes of it. False: a target is known by that alone. */
bool runner_check_steps(const struct runner *r, struct error *error);
/* Who goes on while the program waits would seem to be helped by each delay. */
void runner_look_outside(struct runner *r);

void runner_record(struct runner *r, enum trace_experiment_stage stage, size_t target,
                   const struct causal_step *step);
void runner_begin(struct runner *r, const struct causal_step *step);
/* What was under way has begun without the delay, or with another one. */
void runner_wash_out(struct runner *r, double seconds);
/* False: the program has ended before it was through. */
bool runner_experiment(struct runner *r, const struct causal_step *step);

#endif
