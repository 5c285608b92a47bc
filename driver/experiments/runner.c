#include "driver/experiments/runner.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "driver/cli/talk.h"
#include "driver/experiments/no_work.h"
#include "driver/experiments/outside_peer.h"
#include "driver/workbench/process.h"

/* Chosen. */
#define FIRST_WORK_S 30.0 /* to the first units of work, which no_work_tell says */
#define FIRST_WORK 20
#define LEAST_WASH_S 0.01
#define PATIENCE 4.0 /* an experiment takes no longer than so many times what was planned */
#define LEAST_PATIENCE_S 1.0
#define GRACE_S 10
/* A record of the target's time takes 25 ns and 16 bytes: of so many calls a quarter of a hundredth of the time. */
#define MOST_NOTED_S 100000.0

/* ---- what the program does ---- */

uint64_t runner_work_done(const struct runner *r)
{
    uint64_t visits = delay_file_sum(&r->delays->visits);
    return visits ? visits : delay_file_sum(&r->delays->ended);
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

bool runner_goes_on(const struct runner *r)
{
    return !process_interrupted() && process_running(&r->command.process);
}

bool runner_wait(const struct runner *r, runner_condition done, uint64_t value, double most_s)
{
    double end = clock_s() + most_s, look = fmin(0.002, most_s / 20);
    while (runner_goes_on(r) && !done(r, value) && clock_s() < end)
        pause_for(look);
    return done(r, value);
}

static bool has_done(const struct runner *r, uint64_t value)
{
    return runner_work_done(r) >= value;
}

/* What the kernel refuses at a process's beginning it does not tell later. */
static bool is_refused(const struct runner *r)
{
    return delay_file_sum(&r->delays->places_refused) &&
           !delay_file_sum(&r->delays->places_watched);
}

static bool has_done_or_cannot(const struct runner *r, uint64_t value)
{
    return has_done(r, value) || is_refused(r);
}

static bool has_ended(const struct runner *r, uint64_t value)
{
    return delay_file_sum(&r->delays->ended) >= value;
}

static bool has_counted(const struct runner *r, uint64_t value)
{
    uint64_t visits = delay_file_sum(&r->delays->visits);
    return (visits ? visits : delay_file_sum(&r->delays->counted)) >= value;
}

static bool none_open(const struct runner *r, uint64_t value)
{
    (void)value;
    return delay_file_sum(&r->delays->open) == 0;
}

bool runner_never(const struct runner *r, uint64_t value)
{
    (void)r, (void)value;
    return false;
}

/* ---- the program ---- */

bool runner_start(struct runner *r, struct error *error)
{
    r->started = target_start(r->wish->target, &r->round, &r->command, error);
    r->command.process.grace_s = GRACE_S;
    return r->started;
}

bool runner_end(struct runner *r, struct error *error)
{
    if (!r->started)
        return true;
    r->started = false;
    return target_end(r->wish->target, &r->round, &r->command, error);
}

bool runner_start_again(struct runner *r, struct error *error)
{
    uint64_t before = runner_work_done(r);
    if (r->started && !runner_end(r, error))
        return false;
    talk_phase("run%s", r->ended_runs++ ? " again" : "");
    if (!runner_start(r, error))
        return false;
    if (runner_wait(r, has_done_or_cannot, before + FIRST_WORK, FIRST_WORK_S) &&
        has_done(r, before + FIRST_WORK))
        return true;
    if (process_interrupted())
        return error_set(error, ERROR_STOPPED, "Interrupted.");
    struct error ended;
    bool running = process_running(&r->command.process);
    if (!runner_end(r, running ? &ended : error) && !running)
        return false;
    return no_work_tell(r->delays, FIRST_WORK, running, error);
}

bool runner_check_steps(const struct runner *r, struct error *error)
{
    if (!delay_file_sum(&r->delays->steps_refused))
        return true;
    if (target_list_has_code(r->wish->targets))
        return error_set(
            error, ERROR_SYSTEM,
            "Lines, and functions without a probe, are known by samples of the threads' time, "
            "which the kernel refuses: kernel.perf_event_paranoid is above 2, a "
            "container forbids perf_event_open (--cap-add PERFMON), or Linux is older than "
            "5.13. Mend that, or give the functions probes: `vprofiler rewrite`.");
    talk("the kernel refuses to count the threads' time (kernel.perf_event_paranoid is above 2, a "
         "container forbids perf_event_open, or Linux is older than 5.13): calls of more than a "
         "millisecond are told of too late, and their effect on latencies comes out too large");
    return true;
}

void runner_look_outside(struct runner *r)
{
    if (r->outside.length ||
        !outside_peer_find(r->delays->members, delay_file_members(r->delays), &r->outside))
        return;
    __atomic_store_n(&r->delays->peers, 0, __ATOMIC_RELAXED);
    talk("%s is connected with the program and is not slowed down with it: no throughput is told",
         r->outside.data);
}

/* ---- experiments ---- */

void runner_record(struct runner *r, enum trace_experiment_stage stage, size_t target,
                   const struct causal_step *step)
{
    struct trace_experiment item = {.epoch = r->delays->epoch,
                                    .stage = (uint16_t)stage,
                                    .target = (uint16_t)(target + 1),
                                    .share = r->delays->share,
                                    .block = (uint16_t)step->block,
                                    .round = (uint16_t)step->round,
                                    .granted_ns = delay_file_sum(&r->delays->granted_ns),
                                    .target_ns = delay_file_sum(&r->delays->target_ns),
                                    .calls = delay_file_sum(&r->delays->calls),
                                    .paid_ns = delay_file_sum(&r->delays->paid_ns),
                                    .over_ns = delay_file_sum(&r->delays->over_ns)};
    recorder_file_add(&r->file, 0, clock_ns(), TRACE_EXPERIMENT, &item);
}

/* What is worked out again from the records is compared with the experiments. */
static bool is_noted(const struct runner *r, const struct causal_step *step)
{
    return step->block && step->level == 0 && r->pilots[step->target].calls_s < MOST_NOTED_S;
}

void runner_begin(struct runner *r, const struct causal_step *step)
{
    if (r->switched != step->target + 1) {
        target_list_roles(r->wish->targets, step->target, r->roles, r->wish->probe_count);
        switch_file_set(&r->switches, r->roles);
        r->switched = step->target + 1;
    }
    const struct experiment_goal *goal = &r->wish->targets->items[step->target];
    delay_file_begin(r->delays, &(struct delay_setting){.kind = goal->delays,
                                                        .classes = goal->classes,
                                                        .code = goal->code,
                                                        .target = step->target + 1,
                                                        .level = step->level,
                                                        .step_ns = r->pilots[step->target].step_ns,
                                                        .noted = is_noted(r, step)});
    runner_record(r, TRACE_EXPERIMENT_BEGINS, step->target, step);
}

void runner_wash_out(struct runner *r, double seconds)
{
    uint64_t begun = delay_file_sum(&r->delays->begun);
    runner_wait(r, runner_never, 0, fmax(LEAST_WASH_S, RUNNER_WASH_PART * seconds));
    runner_wait(r, has_ended, begun, fmax(LEAST_PATIENCE_S, seconds));
}

static void count(struct runner *r, const struct causal_step *step, double seconds)
{
    double work_s = r->pilots[step->target].work_s;
    uint64_t visits = delay_file_sum(&r->delays->visits);
    uint64_t from = visits ? visits : delay_file_sum(&r->delays->counted);
    runner_record(r, TRACE_EXPERIMENT_COUNTS, step->target, step);
    delay_file_count(r->delays, true);
    runner_wait(r, has_counted, from + (uint64_t)fmax(2, work_s * seconds),
                fmax(LEAST_PATIENCE_S, PATIENCE * seconds));
    delay_file_count(r->delays, false);
    runner_record(r, TRACE_EXPERIMENT_DRAINS, step->target, step);
}

bool runner_experiment(struct runner *r, const struct causal_step *step)
{
    double seconds = (1 - RUNNER_WASH_PART) * r->window_s;
    runner_begin(r, step);
    runner_wash_out(r, r->window_s);
    count(r, step, seconds);
    bool drained = runner_wait(r, none_open, 0, fmax(LEAST_PATIENCE_S, PATIENCE * seconds)) &&
                   runner_goes_on(r);
    runner_record(r, drained ? TRACE_EXPERIMENT_ENDS : TRACE_EXPERIMENT_BROKEN, step->target, step);
    return runner_goes_on(r);
}
