#include "driver/experiments/answer.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "causal/screen.h"
#include "driver/cli/talk.h"
#include "driver/experiments/look.h"
#include "driver/experiments/watch.h"
#include "driver/workbench/process.h"

/* Chosen. */
#define LEAST_WINDOW_S 0.3
#define LEAST_WORK 30.0 /* units in a window */
#define LEAST_BLOCKS 10
#define MOST_BLOCKS 20
#define LEAST_SCREENED_BLOCKS 3
#define LEAST_SCREEN_WINDOW_S 0.1
#define SCREEN_PART 0.33  /* of the time, where there are many targets */
#define LEAST_WIDTH 0.005 /* no narrower one is planned for */
#define TOLD 10           /* times that a plan is told to go on */

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
    return (1 - RUNNER_WASH_PART) * window_s * blocks;
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

/* A screening needs less of each window than the answer does. */
static double screen_window_s(const struct runner *r)
{
    return fmax(LEAST_SCREEN_WINDOW_S, LEAST_WORK / fmax(least_work(r), 1e-3));
}

/* A round takes that part of the time, or longer where its targets are many. */
static double round_seconds(const struct runner *r, uint32_t targets, double wanted_s)
{
    double busy = 0;
    for (uint32_t t = 0; t < r->wish->targets->count; t++)
        busy += r->pilots[t].processors / (double)r->wish->targets->count;
    double block_s = screen_window_s(r) * (2 + CAUSAL_SCREEN_LEVEL * busy);
    return fmax(wanted_s, LEAST_SCREENED_BLOCKS * targets * block_s);
}

static double screening_seconds(const struct runner *r, double all_s)
{
    uint32_t count = (uint32_t)(r->wish->targets->count - (size_t)r->plan.never_called);
    uint32_t rounds = causal_screen_rounds(count, CAUSAL_SCREEN_KEEP);
    double seconds = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        seconds += round_seconds(r, count, all_s * SCREEN_PART / rounds);
        count = causal_screen_left(count, CAUSAL_SCREEN_KEEP);
    }
    return seconds;
}

/* What the screening leaves of a budget is half of it at least. */
static double answer_seconds(const struct runner *r)
{
    double budget_s = r->wish->budget_s;
    return fmax(budget_s - screening_seconds(r, budget_s), budget_s / 2);
}

/* How sure the answer will be, and how long it takes. */
static void tell_expected(struct runner *r, const struct phase *phase,
                          const struct causal_plan *plan, const struct causal_spread *spread,
                          enum causal_metric metric)
{
    double answer_s = r->window_s * plan_seconds(r, plan);
    r->screening_s = screening_seconds(r, answer_s / (1 - SCREEN_PART));
    r->plan.planned_s = answer_s + r->screening_s;
    r->plan.asked_width = r->wish->width;
    talk("%u experiments of %.2g s and more, of about %.0f units of work each: %.0f s in all",
         plan->count, r->window_s, least_work(r) * (1 - RUNNER_WASH_PART) * r->window_s,
         r->plan.planned_s);
    if (!spread->known) {
        talk("how sure the answer will be can't be told: there was too little work to see how "
             "much it varies");
        return;
    }
    r->plan.expected_width =
        causal_width_after(spread, phase->blocks, level_seconds(r->window_s, phase->blocks));
    talk("expected: an interval of +-%s for %s%s",
         number_percent_short(r->plan.expected_width).text, causal_width_name(metric),
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
                         number_percent_short(r->wish->width).text, WATCH_LONGEST_S);
    if (r->wish->width > 0)
        plan_width(r, &all, &spread, plan);
    else
        plan_budget(r, &all, answer_seconds(r), plan);
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
            runner_look_outside(r);
        }
        while (!runner_experiment(r, step) && !process_interrupted())
            if (!runner_start_again(r, error))
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
    r->window_s = screen_window_s(r);
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
    double end_s = clock_s() + r->screening_s, answer_s = r->plan.planned_s - r->screening_s;
    for (uint32_t round = 1; round <= rounds && count; round++) {
        struct phase phase = {targets, count, level, 1, 0, before, round};
        double seconds = (end_s - clock_s()) / (rounds - round + 1);
        plan_screening(r, &phase, seconds, &plan);
        r->later_s = answer_s + (rounds - round) * seconds;
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

static uint32_t find_called(const struct runner *r, uint32_t *targets)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < r->wish->targets->count; t++)
        if (r->pilots[t].called || r->plan.never_called == (double)r->wish->targets->count)
            targets[count++] = t;
    return count;
}

bool answer_plan_and_make(struct runner *r, struct error *error)
{
    struct causal_plan plan = {0};
    uint32_t *targets = memory_alloc(sizeof *targets * (r->wish->targets->count + 1));
    uint32_t count = find_called(r, targets), left = count;
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
        plan_phase(r, &phase, &plan);
        double rest_s = r->plan.planned_s - (clock_s() - r->from_s);
        r->window_s =
            r->wish->width > 0 ? window_s : fmax(rest_s / plan_seconds(r, &plan), window_s / 2);
    }
    ok = ok && left && (process_interrupted() || perform(r, &plan, error));
    causal_plan_release(&plan);
    memory_free(targets);
    return ok;
}
