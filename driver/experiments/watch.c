#include "driver/experiments/watch.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "driver/cli/talk.h"
#include "driver/experiments/called.h"
#include "driver/experiments/look.h"
#include "driver/experiments/progress_cost.h"
#include "driver/workbench/process.h"

/* Chosen. */
#define PILOT_S 1.0
#define PILOT_PART 0.1 /* of the budget */
#define STEP_PART 0.25 /* of a call of the target's */
#define LEAST_STEP_NS 100000
#define MOST_STEP_NS 1000000
#define SELDOM_S 10.0    /* so long a target may take to its first call */
#define ALL_PROBES_S 0.3 /* all of them on, to see which functions are called */

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
    return r->wish->width > 0
               ? WATCH_LONGEST_S
               : fmax(PILOT_S, fmin(WATCH_LONGEST_S, PILOT_PART * r->wish->budget_s));
}

static bool watch(struct runner *r, uint32_t target)
{
    double seconds = watch_seconds(r, target);
    const struct causal_step none = {.target = target};
    struct pilot *pilot = &r->pilots[target];
    bool code = r->wish->targets->items[target].code != NULL;
    pilot->step_ns = code ? TRACE_DELAYS_SAMPLE_NS : MOST_STEP_NS;
    runner_begin(r, &none);
    runner_wash_out(r, PILOT_S);
    uint64_t work = runner_work_done(r), calls = delay_file_sum(&r->delays->calls),
             ns = delay_file_sum(&r->delays->target_ns),
             squares = delay_file_sum(&r->delays->squares_us2);
    struct progress_gaps gaps = progress_gaps_now(r->delays);
    double from = clock_s();
    runner_wait(r, runner_never, 0, seconds);
    r->plan.progress_share = fmax(r->plan.progress_share, progress_cost(r->delays, &gaps));
    double took = clock_s() - from;
    pilot->work_s = (double)(runner_work_done(r) - work) / took;
    double target_ns = (double)(delay_file_sum(&r->delays->target_ns) - ns);
    double ended = (double)(delay_file_sum(&r->delays->calls) - calls);
    pilot->processors = target_ns * 1e-9 / took;
    pilot->calls_s = ended / took;
    if (!code)
        pilot->step_ns =
            step_of(ended, target_ns, (double)(delay_file_sum(&r->delays->squares_us2) - squares));
    pilot->called = pilot->called || target_ns > 0 || ended > 0;
    runner_record(r, TRACE_EXPERIMENT_BROKEN, target, &none);
    return runner_goes_on(r);
}

/* Where code lies is seen once the program runs. */
static bool find_code(struct runner *r, struct error *error)
{
    for (size_t i = 0; i < r->wish->targets->count; i++) {
        struct code_goal *code = r->wish->targets->items[i].code;
        if (code && !code_goal_find(code, r->delays->members, delay_file_members(r->delays), error))
            return false;
    }
    return true;
}

bool watch_targets(struct runner *r, struct error *error)
{
    if (!runner_check_steps(r, error) || !find_code(r, error))
        return false;
    for (uint32_t t = 0; t < r->wish->targets->count; t++) {
        talk_phase("watch %s", r->wish->targets->items[t].name);
        runner_look_outside(r);
        for (int tries = 0; !watch(r, t); tries++) {
            if (process_interrupted())
                return error_set(error, ERROR_STOPPED, "Interrupted.");
            if (!runner_start_again(r, error))
                return false;
            if (tries) /* a short program: what it was seen to do is what there is */
                break;
        }
        if (!progress_cost_check(r->delays, r->plan.progress_share, error))
            return false;
    }
    return true;
}

/* ---- targets that never run ---- */

/* Of code no calls are known, but its time. */
static uint64_t called_until_now(const struct runner *r)
{
    return delay_file_sum(&r->delays->calls) + delay_file_sum(&r->delays->target_ns);
}

static bool is_called(const struct runner *r, uint64_t before)
{
    return called_until_now(r) > before;
}

/* What is called seldom is waited for. */
static void wait_for_call(struct runner *r, uint32_t target)
{
    const struct causal_step none = {.target = target};
    runner_begin(r, &none);
    r->pilots[target].called = runner_wait(r, is_called, called_until_now(r), SELDOM_S);
    runner_record(r, TRACE_EXPERIMENT_BROKEN, target, &none);
}

/* All probes are on for a moment. */
static void append_called(struct runner *r, struct str *out)
{
    struct look look;
    struct error ignored;
    memset(r->roles, TRACE_PROBE_RECORDED, r->wish->probe_count);
    switch_file_set(&r->switches, r->roles);
    r->switched = 0;
    runner_wait(r, runner_never, 0, ALL_PROBES_S);
    recorder_file_settle(&r->file);
    if (!look_open_calls(&look, r->wish->trace, &ignored))
        return;
    called_append(&look.run, r->wish->table, out);
    look_release(&look);
}

static const char *what_never(const struct experiment_goal *goal)
{
    return goal->delays == TRACE_DELAY_LOCK    ? "is never taken"
           : goal->delays == TRACE_DELAY_WAITS ? "is never waited for"
                                               : "is never called";
}

static bool fail_never(struct runner *r, uint64_t done, struct error *error)
{
    const struct experiment_goal *goal = &r->wish->targets->items[0];
    struct str called = {0};
    bool has_probes = r->wish->table->probe_count > 1;
    if (has_probes)
        append_called(r, &called);
    error_set(
        error, ERROR_NOTHING, "%s %s: not once in %.0f s, while %s units of work were done. %s%s%s",
        goal->name, what_never(goal), SELDOM_S + watch_seconds(r, 0),
        number_count(runner_work_done(r) - done).text,
        called.length ? "Functions that are: "
        : has_probes  ? "No function of functions.json is called: is it that of the program "
                        "which runs, built since it was rewritten?"
                      : "Does the load reach it?",
        str_text(&called),
        called.length ? ". Name one of these, or let the load reach it; a call that began before "
                        "is seen when the next one begins."
                      : "");
    str_release(&called);
    return false;
}

/* False: none of the targets runs. */
bool watch_for_calls(struct runner *r, struct error *error)
{
    uint64_t done = runner_work_done(r);
    uint32_t called = 0, count = (uint32_t)r->wish->targets->count;
    for (uint32_t t = 0; t < count; t++) {
        if (!r->pilots[t].called && runner_goes_on(r))
            wait_for_call(r, t);
        called += r->pilots[t].called;
        if (!r->pilots[t].called)
            talk("%s %s: it is left out", r->wish->targets->items[t].name,
                 what_never(&r->wish->targets->items[t]));
    }
    r->plan.never_called = count - called;
    return called || !runner_goes_on(r) || fail_never(r, done, error);
}
