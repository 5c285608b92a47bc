#include "driver/experiments/experiment_run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "causal/plan.h"
#include "causal/screen.h"
#include "driver/cli/talk.h"
#include "driver/experiments/delay_file.h"
#include "driver/experiments/look.h"
#include "driver/experiments/outside_peer.h"
#include "driver/workbench/process.h"
#include "driver/workbench/switch_file.h"
#include "sampler/recorder_file.h"
#include "trace/trace_seal.h"

/* Chosen. */
#define FIRST_WORK_S                                                                               \
    30.0 /* so long a program may take to its first units of work; tell_no_work says it */
#define FIRST_WORK 20
#define PILOT_S 1.0
#define WIDTH_PILOT_S 8.0
#define PILOT_PART 0.1 /* of the budget */
#define LEAST_WASH_S 0.01
#define WASH_PART 0.15 /* of an experiment */
#define PATIENCE 4.0   /* an experiment takes no longer than so many times what was planned */
#define LEAST_PATIENCE_S 1.0
#define STEP_PART 0.25 /* of a call of the target's */
#define LEAST_STEP_NS 100000
#define MOST_STEP_NS 1000000
#define CODE_STEP_NS 250000 /* code is known by steps alone, of all threads */
#define LEAST_WINDOW_S 0.3
#define LEAST_WORK 30.0 /* units in a window */
#define LEAST_BLOCKS 10
#define MOST_BLOCKS 20
#define LEAST_SCREENED_BLOCKS 3
#define SCREEN_PART 0.33  /* of the time, where there are many targets */
#define LEAST_WIDTH 0.005 /* no narrower one is planned for */
#define TOLD 10           /* times that a plan is told to go on */
#define GRACE_S 10
/* A record of the target's time takes 25 ns and 16 bytes: of so many calls a quarter of a hundredth of the time. */
#define MOST_NOTED_S 100000.0

/* What is known of a target before it is experimented with. */
struct pilot {
    double work_s;     /* units of work a second */
    double processors; /* that it keeps busy */
    double calls_s;    /* of it, a second */
    uint32_t step_ns;
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
    double later_s; /* planned for what comes after these experiments */
    double from_s;  /* when experiments began; 0: not yet */
    struct experiment_plan plan;
    struct str outside; /* who is connected with the program, and is no part of it; or empty */
};

/* ---- what the program does ---- */

static uint64_t sum(const uint64_t *counter)
{
    return delay_file_sum(counter);
}

/* Units of work that were completed; of a program that marks none, intervals. */
static uint64_t work_done(const struct runner *r)
{
    uint64_t visits = sum(&r->delays->visits);
    return visits ? visits : sum(&r->delays->ended);
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

/* False: the program has ended, or vprofiler was interrupted. */
static bool goes_on(const struct runner *r)
{
    return !process_interrupted() && process_running(&r->command.process);
}

typedef bool (*until)(const struct runner *r, uint64_t value);

/* Waits until `done`, for the longest so long. */
static bool wait_until(const struct runner *r, until done, uint64_t value, double most_s)
{
    double end = clock_s() + most_s, look = fmin(0.002, most_s / 20);
    while (goes_on(r) && !done(r, value) && clock_s() < end)
        pause_for(look);
    return done(r, value);
}

static bool has_done(const struct runner *r, uint64_t value)
{
    return work_done(r) >= value;
}

static bool has_ended(const struct runner *r, uint64_t value)
{
    return sum(&r->delays->ended) >= value;
}

static bool has_counted(const struct runner *r, uint64_t value)
{
    uint64_t visits = sum(&r->delays->visits);
    return (visits ? visits : sum(&r->delays->counted)) >= value;
}

static bool none_open(const struct runner *r, uint64_t value)
{
    (void)value;
    return sum(&r->delays->open) == 0;
}

static bool never(const struct runner *r, uint64_t value)
{
    (void)r, (void)value;
    return false;
}

/* ---- the program ---- */

static bool start(struct runner *r, struct error *error)
{
    r->started = target_start(r->wish->target, &r->round, &r->command, error);
    r->command.process.grace_s = GRACE_S;
    return r->started;
}

static bool end(struct runner *r, struct error *error)
{
    if (!r->started)
        return true;
    r->started = false;
    return target_end(r->wish->target, &r->round, &r->command, error);
}

static bool tell_no_work(const struct runner *r, bool running, struct error *error)
{
    unsigned long long processes = sum(&r->delays->member_count), begun = sum(&r->delays->begun);
    if (!processes)
        return error_set(
            error, ERROR_NOTHING,
            "The program left no trace. Are SI_BEGIN and SI_END, or VPROF_PROGRESS, of vprof_api.h "
            "compiled into it? Or is it linked statically, set-uid, or started in a cleaned "
            "environment (env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.");
    return error_set(error, ERROR_NOTHING,
                     "Nothing to measure: %llu process%s recorded, %llu intervals began, and fewer "
                     "than %d were completed %s. Does the load reach the marked code? A "
                     "program without intervals needs VPROF_PROGRESS(\"name\") or --progress "
                     "FUNCTION where a unit of work is complete.",
                     processes, processes == 1 ? "" : "es", begun, FIRST_WORK,
                     running ? "in half a minute" : "before the program ended");
}

/* A program that ends is run again, from where the plan is. */
static bool start_again(struct runner *r, struct error *error)
{
    uint64_t before = work_done(r);
    if (r->started && !end(r, error))
        return false;
    talk_phase("run%s", r->ended_runs++ ? " again" : "");
    if (!start(r, error))
        return false;
    if (wait_until(r, has_done, before + FIRST_WORK, FIRST_WORK_S))
        return true;
    if (process_interrupted())
        return error_set(error, ERROR_STOPPED, "Interrupted.");
    struct error ended;
    bool running = process_running(&r->command.process);
    if (!end(r, running ? &ended : error) && !running)
        return false;
    return tell_no_work(r, running, error);
}

/* Who goes on while the program waits would seem to be helped by each delay. */
static void look_outside(struct runner *r)
{
    uint64_t members = sum(&r->delays->member_count);
    if (r->outside.length ||
        !outside_peer_find(
            r->delays->members,
            members < TRACE_DELAYS_MEMBERS ? (uint32_t)members : TRACE_DELAYS_MEMBERS, &r->outside))
        return;
    __atomic_store_n(&r->delays->peers, 0, __ATOMIC_RELAXED);
    talk("%s is connected with the program and is not slowed down with it: no throughput is told",
         r->outside.data);
}

/* ---- experiments ---- */

static void record(struct runner *r, enum trace_experiment_stage stage, size_t target,
                   const struct causal_step *step)
{
    struct trace_experiment item = {.epoch = r->delays->epoch,
                                    .stage = (uint16_t)stage,
                                    .target = (uint16_t)(target + 1),
                                    .share = r->delays->share,
                                    .block = (uint16_t)step->block,
                                    .round = (uint16_t)step->round,
                                    .granted_ns = sum(&r->delays->granted_ns),
                                    .target_ns = sum(&r->delays->target_ns),
                                    .calls = sum(&r->delays->calls),
                                    .paid_ns = sum(&r->delays->paid_ns),
                                    .over_ns = sum(&r->delays->over_ns)};
    recorder_file_add(&r->file, 0, clock_ns(), TRACE_EXPERIMENT, &item);
}

/* What is worked out again from the records is compared with the experiments. */
static bool is_noted(const struct runner *r, const struct causal_step *step)
{
    return step->block && step->level == 0 && r->pilots[step->target].calls_s < MOST_NOTED_S;
}

static void begin(struct runner *r, const struct causal_step *step)
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
    record(r, TRACE_EXPERIMENT_BEGINS, step->target, step);
}

/* What was under way has begun without the delay, or with another one. */
static void wash_out(struct runner *r, double seconds)
{
    uint64_t begun = sum(&r->delays->begun);
    wait_until(r, never, 0, fmax(LEAST_WASH_S, WASH_PART * seconds));
    wait_until(r, has_ended, begun, fmax(LEAST_PATIENCE_S, seconds));
}

static void count(struct runner *r, const struct causal_step *step, double seconds)
{
    double work_s = r->pilots[step->target].work_s;
    uint64_t visits = sum(&r->delays->visits);
    uint64_t from = visits ? visits : sum(&r->delays->counted);
    record(r, TRACE_EXPERIMENT_COUNTS, step->target, step);
    delay_file_count(r->delays, true);
    wait_until(r, has_counted, from + (uint64_t)fmax(2, work_s * seconds),
               fmax(LEAST_PATIENCE_S, PATIENCE * seconds));
    delay_file_count(r->delays, false);
    record(r, TRACE_EXPERIMENT_DRAINS, step->target, step);
}

/* False: the program has ended before it was through. */
static bool experiment(struct runner *r, const struct causal_step *step)
{
    double seconds = (1 - WASH_PART) * r->window_s;
    begin(r, step);
    wash_out(r, r->window_s);
    count(r, step, seconds);
    bool drained =
        wait_until(r, none_open, 0, fmax(LEAST_PATIENCE_S, PATIENCE * seconds)) && goes_on(r);
    record(r, drained ? TRACE_EXPERIMENT_ENDS : TRACE_EXPERIMENT_BROKEN, step->target, step);
    return goes_on(r);
}

/* ---- the pilot ---- */

/* A call's length is weighted by itself: it is in the long ones that most of the time is. */
static uint32_t step_of(double calls, double spent_ns, double squares_us2)
{
    double mean_ns = spent_ns > 0 ? squares_us2 * 1e6 / spent_ns : 0;
    double step = STEP_PART * mean_ns;
    if (!calls || mean_ns < LEAST_STEP_NS || step > MOST_STEP_NS)
        return MOST_STEP_NS;
    return step < LEAST_STEP_NS ? LEAST_STEP_NS : (uint32_t)step;
}

/* The first target is watched for longer: how much the run varies is learned from it. */
static double watch_seconds(const struct runner *r, uint32_t target)
{
    if (target)
        return PILOT_S;
    return r->wish->width > 0 ? WIDTH_PILOT_S
                              : fmax(PILOT_S, fmin(WIDTH_PILOT_S, PILOT_PART * r->wish->budget_s));
}

static bool watch(struct runner *r, uint32_t target)
{
    double seconds = watch_seconds(r, target);
    const struct causal_step none = {.target = target};
    struct pilot *pilot = &r->pilots[target];
    bool code = r->wish->targets->items[target].code != NULL;
    pilot->step_ns = code ? CODE_STEP_NS : MOST_STEP_NS;
    begin(r, &none);
    wash_out(r, PILOT_S);
    uint64_t work = work_done(r), calls = sum(&r->delays->calls), ns = sum(&r->delays->target_ns),
             squares = sum(&r->delays->squares_us2);
    double from = clock_s();
    wait_until(r, never, 0, seconds);
    double took = clock_s() - from;
    pilot->work_s = (double)(work_done(r) - work) / took;
    double target_ns = (double)(sum(&r->delays->target_ns) - ns);
    double ended = (double)(sum(&r->delays->calls) - calls);
    pilot->processors = target_ns * 1e-9 / took;
    pilot->calls_s = ended / took;
    if (!code)
        pilot->step_ns =
            step_of(ended, target_ns, (double)(sum(&r->delays->squares_us2) - squares));
    record(r, TRACE_EXPERIMENT_BROKEN, target, &none);
    return goes_on(r);
}

static void tell_refused(const struct runner *r)
{
    if (sum(&r->delays->steps_refused))
        talk(
            "the kernel refuses to count the threads' time (kernel.perf_event_paranoid is above 2, "
            "or Linux is older than 5.13): calls of more than a millisecond are told of too late, "
            "and their effect on latencies comes out too large");
}

/* Where code lies is seen once the program runs. */
static bool find_code(struct runner *r, struct error *error)
{
    uint64_t members = sum(&r->delays->member_count);
    for (size_t i = 0; i < r->wish->targets->count; i++) {
        struct code_goal *code = r->wish->targets->items[i].code;
        if (code && !code_goal_find(code, r->delays->members,
                                    members < TRACE_DELAYS_MEMBERS ? (uint32_t)members
                                                                   : TRACE_DELAYS_MEMBERS,
                                    error))
            return false;
    }
    return true;
}

static bool watch_all(struct runner *r, struct error *error)
{
    tell_refused(r);
    if (!find_code(r, error))
        return false;
    for (uint32_t t = 0; t < r->wish->targets->count; t++) {
        talk_phase("watch %s", r->wish->targets->items[t].name);
        look_outside(r);
        for (int tries = 0; !watch(r, t); tries++) {
            if (process_interrupted())
                return error_set(error, ERROR_STOPPED, "Interrupted.");
            if (!start_again(r, error))
                return false;
            if (tries) /* a short program: what it was seen to do is what there is */
                break;
        }
    }
    return true;
}

/* ---- all of them ---- */

/* While others wait, work takes longer. */
static double longer(const struct runner *r, const struct causal_step *step)
{
    return 1 + step->level * r->pilots[step->target].processors;
}

/* Some targets' experiments, block after block. */
struct phase {
    const uint32_t *targets;
    uint32_t target_count;
    const double *levels;
    uint32_t level_count;
    uint32_t blocks, after_block; /* the first block's number is one more */
    uint32_t round;
};

static void plan_phase(const struct runner *r, const struct phase *phase, struct causal_plan *plan)
{
    causal_plan_release(plan);
    causal_plan_make(plan, (struct causal_design){phase->target_count, phase->blocks, phase->levels,
                                                  phase->level_count, r->wish->seed + phase->round,
                                                  phase->round});
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->steps[i].target = phase->targets[plan->steps[i].target];
        plan->steps[i].block += phase->after_block;
    }
}

/* Of windows of one second. */
static double plan_seconds(const struct runner *r, const struct causal_plan *plan)
{
    double all = 0;
    for (uint32_t i = 0; i < plan->count; i++)
        all += longer(r, &plan->steps[i]);
    return all;
}

static double least_work(const struct runner *r)
{
    double least = INFINITY;
    for (uint32_t t = 0; t < r->wish->targets->count; t++)
        least = fmin(least, r->pilots[t].work_s);
    return least;
}

static double enough_s(const struct runner *r)
{
    return fmax(LEAST_WINDOW_S, LEAST_WORK / fmax(least_work(r), 1e-3));
}

/* A block's windows of a level are so long together, and most of it counts. */
static double level_seconds(double window_s, uint32_t blocks)
{
    return (1 - WASH_PART) * window_s * blocks;
}

/* As many blocks as there are windows of some length for: then t is least. */
static void plan_budget(struct runner *r, struct phase *phase, double budget_s,
                        struct causal_plan *plan)
{
    for (phase->blocks = MOST_BLOCKS; phase->blocks >= LEAST_BLOCKS; phase->blocks--) {
        plan_phase(r, phase, plan);
        r->window_s = budget_s / plan_seconds(r, plan);
        if (r->window_s >= enough_s(r) || phase->blocks == LEAST_BLOCKS)
            break;
    }
}

/* Windows so long that the interval is as wide as was asked for. */
static void plan_width(struct runner *r, struct phase *phase, const struct causal_spread *spread,
                       struct causal_plan *plan)
{
    double busiest = 0;
    for (uint32_t t = 0; t < phase->target_count; t++)
        busiest = fmax(busiest, r->pilots[phase->targets[t]].processors);
    double width = exp(log(1 + r->wish->width) - CAUSAL_DELAY_COST * busiest) - 1;
    phase->blocks = MOST_BLOCKS;
    plan_phase(r, phase, plan);
    double takes = causal_width_takes(spread, MOST_BLOCKS, fmax(width, LEAST_WIDTH));
    r->window_s = fmax(enough_s(r), takes / level_seconds(1, MOST_BLOCKS));
}

static const char *metric_name(enum causal_metric metric)
{
    return metric == CAUSAL_P99 ? "p99" : metric == CAUSAL_MEAN ? "the mean" : "the throughput";
}

/* What of the budget the screening leaves. */
static double answer_part(const struct runner *r)
{
    return r->wish->targets->count > CAUSAL_SCREEN_KEEP ? 1 - SCREEN_PART : 1;
}

/* How sure the answer will be, and how long it takes. */
static void tell_expected(struct runner *r, const struct phase *phase,
                          const struct causal_plan *plan, const struct causal_spread *spread,
                          enum causal_metric metric)
{
    double answer_s = r->window_s * plan_seconds(r, plan);
    r->plan.planned_s = answer_s / answer_part(r);
    r->plan.asked_width = r->wish->width;
    talk("%u experiments of %.2g s and more, of about %.0f units of work each: %.0f s in all",
         plan->count, r->window_s, least_work(r) * (1 - WASH_PART) * r->window_s,
         r->plan.planned_s);
    if (!spread->known) {
        talk("how sure the answer will be can't be told: there was too little work to see how "
             "much it varies");
        return;
    }
    r->plan.expected_width =
        causal_width_after(spread, phase->blocks, level_seconds(r->window_s, phase->blocks));
    talk("expected: an interval of +-%s for %s%s",
         number_percent_short(r->plan.expected_width).text, metric_name(metric),
         r->wish->width > 0 ? "" : "; --width asks for another one");
}

static bool find_spread(struct runner *r, struct causal_spread *spread, enum causal_metric *metric,
                        struct error *error)
{
    struct look look;
    *spread = (struct causal_spread){.known = false};
    recorder_file_settle(&r->file);
    if (!look_open(&look, r->wish->trace, error))
        return false;
    *spread = look_spread(&look, metric);
    look_release(&look);
    return true;
}

/* False: too little is known to plan for a width. */
static bool plan_answer(struct runner *r, struct phase *phase, struct causal_plan *plan,
                        struct error *error)
{
    struct causal_spread spread;
    enum causal_metric metric = CAUSAL_PERIOD;
    struct phase all = *phase;
    if (!find_spread(r, &spread, &metric, error))
        return false;
    if (r->wish->width > 0 && !spread.known)
        return error_set(error, ERROR_NOTHING,
                         "How long an interval of +-%s takes can't be told: in %.0f s too little "
                         "work was done to see how much it varies. Say how long instead: "
                         "--budget 10m.",
                         number_percent_short(r->wish->width).text, WIDTH_PILOT_S);
    if (r->wish->width > 0)
        plan_width(r, &all, &spread, plan);
    else
        plan_budget(r, &all, r->wish->budget_s * answer_part(r), plan);
    phase->blocks = all.blocks;
    tell_expected(r, &all, plan, &spread, metric);
    return true;
}

/* Of the seconds that were planned, those that the experiments before took may be more, or fewer. */
static void tell_progress(const struct runner *r, uint32_t made, const struct causal_plan *plan)
{
    struct causal_plan rest = {plan->steps + made, plan->count - made};
    talk_phase("%s %u of %u, %.0f s left", plan->steps[0].round ? "screening" : "experiment",
               made + 1, plan->count, r->window_s * plan_seconds(r, &rest) + r->later_s);
}

static bool perform(struct runner *r, const struct causal_plan *plan, struct error *error)
{
    for (uint32_t i = 0; i < plan->count && !process_interrupted(); i++) {
        const struct causal_step *step = &plan->steps[i];
        if (i % (plan->count / TOLD + 1) == 0) {
            tell_progress(r, i, plan);
            look_outside(r);
        }
        while (!experiment(r, step) && !process_interrupted())
            if (!start_again(r, error))
                return process_interrupted();
    }
    return true;
}

/* ---- many targets ---- */

/* Those that bring most come to the front; their number is the result, 0 where the run can't be read. */
static uint32_t halve(struct runner *r, uint32_t *targets, uint32_t count, struct error *error)
{
    struct look look;
    recorder_file_settle(&r->file);
    if (!look_open(&look, r->wish->trace, error))
        return 0;
    double *bounds = memory_alloc(sizeof *bounds * count);
    for (uint32_t t = 0; t < count; t++)
        bounds[t] = look_bound(&look, targets[t]);
    uint32_t left = causal_screen_halve(targets, bounds, count, CAUSAL_SCREEN_KEEP);
    memory_free(bounds);
    look_release(&look);
    return left;
}

/* So many blocks as the round has time for. */
static void plan_screening(struct runner *r, struct phase *phase, double seconds,
                           struct causal_plan *plan)
{
    phase->blocks = 1;
    plan_phase(r, phase, plan);
    r->window_s = enough_s(r);
    double fit = seconds / (r->window_s * plan_seconds(r, plan));
    phase->blocks = (uint32_t)fmin(MOST_BLOCKS, fmax(LEAST_SCREENED_BLOCKS, fit));
    plan_phase(r, phase, plan);
    r->window_s = fmax(r->window_s, seconds / plan_seconds(r, plan));
}

/* What is left of the targets comes to the front. 0: it failed, or was interrupted. */
static uint32_t screen(struct runner *r, uint32_t *targets, uint32_t count, struct error *error)
{
    static const double level[] = {CAUSAL_SCREEN_LEVEL};
    struct causal_plan plan = {0};
    uint32_t rounds = causal_screen_rounds(count, CAUSAL_SCREEN_KEEP), before = 0;
    double seconds = r->plan.planned_s * SCREEN_PART / fmax(rounds, 1);
    for (uint32_t round = 1; round <= rounds && count; round++) {
        struct phase phase = {targets, count, level, 1, 0, before, round};
        plan_screening(r, &phase, seconds, &plan);
        r->later_s = r->plan.planned_s * (1 - SCREEN_PART) + (rounds - round) * seconds;
        before += phase.blocks;
        bool ok = perform(r, &plan, error);
        if (process_interrupted())
            break;
        uint32_t left = ok ? halve(r, targets, count, error) : 0;
        if (left)
            talk("%u of %u targets are left", left, count);
        count = left;
    }
    causal_plan_release(&plan);
    r->later_s = 0;
    return count;
}

static bool answer(struct runner *r, struct error *error)
{
    struct causal_plan plan = {0};
    uint32_t count = (uint32_t)r->wish->targets->count, left = count;
    uint32_t *targets = memory_alloc(sizeof *targets * (count + 1));
    for (uint32_t t = 0; t < count; t++)
        targets[t] = t;
    struct phase phase = {targets,
                          left < CAUSAL_SCREEN_KEEP ? left : CAUSAL_SCREEN_KEEP,
                          r->wish->levels,
                          r->wish->level_count,
                          0,
                          0,
                          0};
    bool ok = plan_answer(r, &phase, &plan, error);
    double window_s = r->window_s;
    r->from_s = clock_s();
    if (ok && count > CAUSAL_SCREEN_KEEP) {
        left = screen(r, targets, count, error);
        r->window_s = window_s;
        plan_phase(r, &phase, &plan);
    }
    ok = ok && left && (process_interrupted() || perform(r, &plan, error));
    causal_plan_release(&plan);
    memory_free(targets);
    return ok;
}

/* ---- the files ---- */

/* A reader of the folder finds the targets while experiments are made, too: later ones replace these. */
static void write_targets(struct runner *r)
{
    struct str targets = {0};
    target_list_write(r->wish->targets, r->outside.length ? r->outside.data : NULL, &r->plan,
                      &targets);
    recorder_file_add_chunk(&r->file, TRACE_CHUNK_TARGETS, 0, str_text(&targets),
                            targets.length + 1);
    str_release(&targets);
}

static void tell_plan(struct runner *r)
{
    r->plan.took_s = r->from_s > 0 ? clock_s() - r->from_s : 0;
    r->plan.steps_refused = (double)sum(&r->delays->steps_refused);
    r->plan.untold = (double)sum(&r->delays->untold);
}

static bool open_files(struct runner *r, struct error *error)
{
    struct str path = {0};
    path_join(&path, r->wish->trace, "experiments.vtr");
    r->delays = delay_file_make(r->wish->trace, error);
    bool ok = r->delays &&
              switch_file_make(&r->switches, r->wish->trace, r->wish->probe_count, error) &&
              recorder_file_open(&r->file, path.data, 1, 0, error);
    if (ok)
        write_targets(r);
    str_release(&path);
    return ok;
}

static bool close_files(struct runner *r, bool ok, struct error *error)
{
    struct error other;
    bool closed = true;
    if (r->file.header) {
        tell_plan(r);
        write_targets(r);
        closed = recorder_file_close(&r->file, ok ? error : &other) &&
                 trace_seal_folder(r->wish->trace, ok ? error : &other);
    }
    switch_file_release(&r->switches);
    delay_file_release(r->delays);
    return ok && closed;
}

bool experiment_run(const struct experiment_wish *wish, struct error *error)
{
    struct runner r = {.wish = wish,
                       .round = {.number = 1, .trace_directory = wish->trace, .run_log = wish->log},
                       .pilots = memory_zeroed(sizeof *r.pilots * (wish->targets->count + 1)),
                       .roles = memory_zeroed(wish->probe_count + 1)};
    struct error ignored;
    process_catch_interrupts();
    bool ok = open_files(&r, error);
    if (ok) { /* an annotated program records from the start, whatever its probes do */
        memset(r.roles, 0, wish->probe_count);
        switch_file_set(&r.switches, r.roles);
    }
    ok = ok && start_again(&r, error) && watch_all(&r, error);
    ok = ok && answer(&r, error);
    if (ok && r.plan.planned_s > 0 && !process_interrupted())
        talk("planned %.0f s, took %.0f s", r.plan.planned_s, clock_s() - r.from_s);
    end(&r, &ignored);
    ok = close_files(&r, ok, error);
    str_release(&r.outside);
    memory_free(r.pilots);
    memory_free(r.roles);
    return ok;
}
