#include "driver/experiments/whole_runs.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "driver/cli/talk.h"
#include "driver/experiments/code_place.h"
#include "driver/experiments/look.h"
#include "driver/experiments/no_work.h"
#include "driver/workbench/process.h"

/* Chosen. */
#define USUAL_WIDTH 0.05
#define LEAST_BLOCKS 10
#define MOST_BLOCKS 20 /* of more, neighbours would be one */
#define STEP_NS 250000

struct whole_runs {
    struct runner *r;
    struct causal_plan plan;
    uint32_t *targets; /* those that run */
    uint32_t target_count;
    double width, block_s;
};

/* ---- one run ---- */

static bool has_ended(const struct runner *r, uint64_t value)
{
    (void)value;
    return !runner_goes_on(r);
}

/* False: it failed. Where vprofiler was interrupted, it is broken. */
static bool run_once(struct runner *r, const struct causal_step *step, double *took_s,
                     struct error *error)
{
    struct error ignored;
    runner_begin(r, step);
    runner_record(r, TRACE_EXPERIMENT_COUNTS, step->target, step);
    double from = clock_s();
    if (!runner_start(r, error))
        return false;
    runner_wait(r, has_ended, 0, INFINITY);
    *took_s = clock_s() - from;
    runner_record(r, TRACE_EXPERIMENT_DRAINS, step->target, step);
    bool interrupted = process_interrupted();
    bool ok = runner_end(r, interrupted ? &ignored : error) || interrupted;
    runner_record(r, ok && !interrupted ? TRACE_EXPERIMENT_ENDS : TRACE_EXPERIMENT_BROKEN,
                  step->target, step);
    return ok;
}

/* ---- the pilot ---- */

/* A target's first run is one that warms up what others find warm. */
static bool watch(struct whole_runs *w, uint32_t target, struct error *error)
{
    struct runner *r = w->r;
    const struct causal_step none = {.target = target};
    struct pilot *pilot = &r->pilots[target];
    const uint64_t *calls = &r->delays->calls, *busy = &r->delays->target_ns;
    uint64_t calls_before = delay_file_sum(calls), busy_before = delay_file_sum(busy);
    double took_s = 0;
    pilot->step_ns = r->wish->targets->items[target].code ? TRACE_DELAYS_SAMPLE_NS : STEP_NS;
    talk_phase("watch %s", r->wish->targets->items[target].name);
    if (!run_once(r, &none, &took_s, error) || !runner_check_steps(r, error))
        return false;
    if (process_interrupted())
        return error_set(error, ERROR_STOPPED, "Interrupted.");
    double busy_s = 1e-9 * (double)(delay_file_sum(busy) - busy_before);
    pilot->processors = busy_s / took_s;
    pilot->work_s = 1 / took_s;
    pilot->called = busy_s > 0 || delay_file_sum(calls) > calls_before;
    return true;
}

static bool watch_all(struct whole_runs *w, struct error *error)
{
    struct runner *r = w->r;
    for (uint32_t t = 0; t < r->wish->targets->count; t++) {
        if (!watch(w, t, error))
            return false;
        if (r->pilots[t].called)
            w->targets[w->target_count++] = t;
        else
            talk("%s does not run: it is left out", r->wish->targets->items[t].name);
    }
    r->plan.never_called = (double)(r->wish->targets->count - w->target_count);
    if (!delay_file_sum(&r->delays->member_count))
        return no_work_no_trace("Is it", error);
    return w->target_count ||
           error_set(error, ERROR_NOTHING,
                     "%s does not run: not once in a whole run of %.1f s. Is functions.json that "
                     "of the program which runs, built since it was rewritten?",
                     r->wish->targets->items[0].name, 1 / r->pilots[0].work_s);
}

/* ---- the plan ---- */

static void make_plan(struct whole_runs *w)
{
    const struct experiment_wish *wish = w->r->wish;
    causal_plan_make(&w->plan, (struct causal_design){w->target_count, MOST_BLOCKS, wish->levels,
                                                      wish->level_count, wish->seed, 0});
    w->block_s = 0;
    for (uint32_t i = 0; i < w->plan.count; i++) {
        struct causal_step *step = &w->plan.steps[i];
        step->target = w->targets[step->target];
        const struct pilot *pilot = &w->r->pilots[step->target];
        w->block_s += (1 + step->level * pilot->processors) / pilot->work_s / MOST_BLOCKS;
    }
}

static bool tell_plan(struct whole_runs *w, struct error *error)
{
    struct runner *r = w->r;
    double least_s = w->block_s * LEAST_BLOCKS, most_s = w->block_s * MOST_BLOCKS;
    if (r->wish->budget_s > 0 && r->wish->budget_s < least_s)
        return error_set(error, ERROR_USAGE,
                         "A run takes %.1f s, and %u runs are needed to tell how sure a number is: "
                         "--budget %.0fs, or fewer targets.",
                         1 / r->pilots[w->targets[0]].work_s,
                         LEAST_BLOCKS * w->plan.count / MOST_BLOCKS, ceil(least_s));
    r->plan.planned_s = r->wish->budget_s > 0 ? fmin(r->wish->budget_s, most_s) : most_s;
    r->plan.asked_width = w->width;
    talk("%u to %u runs of %.2g s and more, until the interval is +-%s: %.0f s to %.0f s in all",
         LEAST_BLOCKS * w->plan.count / MOST_BLOCKS, w->plan.count,
         1 / r->pilots[w->targets[0]].work_s, number_percent_short(w->width).text, least_s,
         r->plan.planned_s);
    return true;
}

/* ---- until it is known ---- */

static bool is_known(const struct whole_runs *w, struct error *error)
{
    struct look look;
    recorder_file_settle(&w->r->file);
    if (!look_open(&look, w->r->wish->trace, error))
        return false;
    bool known = true;
    for (uint32_t t = 0; t < w->target_count && known; t++)
        known = look_width(&look, w->targets[t]) <= w->width;
    look_release(&look);
    return known;
}

static bool is_over(const struct whole_runs *w, uint32_t made)
{
    const struct runner *r = w->r;
    struct error ignored;
    double spent_s = clock_s() - r->from_s;
    return (r->wish->budget_s > 0 && spent_s + w->block_s > r->wish->budget_s) ||
           is_known(w, &ignored) || made == w->plan.count;
}

static bool perform(struct whole_runs *w, struct error *error)
{
    struct runner *r = w->r;
    uint32_t block = w->plan.count / MOST_BLOCKS;
    double took_s;
    r->from_s = clock_s();
    for (uint32_t i = 0; i < w->plan.count && !process_interrupted(); i++) {
        if (i % block == 0 && i / block >= LEAST_BLOCKS && is_over(w, i))
            break;
        if (i % block == 0)
            talk_phase("block %u of %u at the most, %.0f s left at the most", i / block + 1,
                       MOST_BLOCKS, r->plan.planned_s - (clock_s() - r->from_s));
        if (!run_once(r, &w->plan.steps[i], &took_s, error))
            return false;
    }
    return true;
}

/* A run is to know its code before it begins. */
static bool find_code(const struct experiment_wish *wish, struct error *error)
{
    for (size_t i = 0; i < wish->targets->count; i++) {
        const struct experiment_goal *goal = &wish->targets->items[i];
        if (goal->code && !code_place_find(wish->target, goal->code, goal->name, error))
            return false;
    }
    return true;
}

bool whole_runs_make(struct runner *r, struct error *error)
{
    struct whole_runs w = {.r = r,
                           .targets =
                               memory_alloc(sizeof *w.targets * (r->wish->targets->count + 1)),
                           .width = r->wish->width > 0 ? r->wish->width : USUAL_WIDTH};
    bool ok = find_code(r->wish, error) && watch_all(&w, error);
    if (ok) {
        make_plan(&w);
        ok = tell_plan(&w, error) && perform(&w, error);
    }
    causal_plan_release(&w.plan);
    memory_free(w.targets);
    return ok;
}
