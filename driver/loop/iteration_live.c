#include "driver/loop/iteration.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "driver/cli/talk.h"
#include "driver/loop/cooling.h"
#include "driver/loop/recorded_calls.h"
#include "driver/workbench/process.h"

/* Few intervals are rough, and those of a run that is over become no more. */
enum { ENOUGH_INTERVALS = 200, MOST_NAMES = 5 };
/* The numbers below are chosen; docs/decisions/live-is-a-window-of-time.md tells of the windows and of
 * what is too dear. */
#define FIRST_WINDOW_SECONDS 2.0
#define LONGEST_WINDOW_SECONDS 32.0 /* where there are enough */
#define PATIENCE_SECONDS 30.0
#define LOOK_PART 0.1 /* of a window, that may be spent with a look at it */
/* A call whose sites are on costs about this much where other work has emptied the caches since the
 * last one; half of it where it has not. */
#define PROBE_NS 200.0
#define PROBE_PART 0.02 /* of the time that they may take: sites that are off take up to 0.03 */
/* A program that uses less is not slowed by what it would use then. */
#define LEAST_PROCESSORS 0.5

bool iteration_build_carrier(struct iteration *it, struct error *error)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    bool *all = memory_zeroed(table->function_count + 1);
    uint32_t bodies = 0, carried = 0;
    for (uint32_t i = 0; i < table->function_count; i++) {
        all[i] = table->functions[i].body;
        bodies += all[i];
        carried += all[i] && it->loop.paces[i] != PACE_SHORT;
    }
    struct target_round round = {.number = it->round};
    struct str log = {0};
    talk_phase("[%u] build with probes in %u of %u functions (the others are short or untimed), "
               "switched off",
               it->round, carried, bodies);
    bool ok = iteration_rewrite(it, all, all, error) &&
              workdir_round(&it->workdir, it->round, "build.log", &log, error);
    round.build_log = log.data;
    ok = ok && iteration_note_building(it, true, error) &&
         target_build(&it->target, &round, error) && iteration_note_building(it, false, error);
    if (ok)
        iteration_find_lost_probes(it);
    it->carried = ok;
    it->start_s = it->round_start_s =
        clock_s(); /* the budget is the rounds', which build no more */
    str_release(&log);
    memory_free(all);
    return ok;
}

/* The files that an interrupted or too short run left of this round are no part of it. */
static bool make_trace(struct iteration *it, struct error *error)
{
    struct live_run *live = &it->live;
    struct error ignored;
    if (live->trace.length)
        iteration_drop_trace(it, live->trace.data);
    if (!workdir_round(&it->workdir, it->round, "trace", &live->trace, error))
        return false;
    file_remove_tree(live->trace.data, &ignored);
    return file_make_directories(live->trace.data, error);
}

static bool start_live(struct iteration *it, struct error *error)
{
    talk_phase("[%u] run", it->round);
    return make_trace(it, error) && iteration_write_functions(it, error) &&
           workdir_round(&it->workdir, it->round, "run.log", &it->live.log, error) &&
           live_run_start(&it->live, &it->target, it->round,
                          rewriter_table(it->rewriter)->probe_count, error);
}

static void choose_probes(const struct iteration *it, unsigned char *on)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    for (uint32_t i = 1; i < table->probe_count; i++) {
        const struct probe_info *probe = &table->probes[i];
        on[i] = probe->kind == PROBE_FUNCTION
                    ? it->loop.timed[probe->function]
                    : probe->within != FUNCTION_NONE && it->loop.opened[probe->within];
    }
}

static uint64_t interval_count(const struct round_result *result)
{
    return result->variance->tree.intervals.count;
}

static bool has_enough(const struct round_result *result)
{
    return interval_count(result) >= ENOUGH_INTERVALS;
}

/* The ranking is clear where another window would open the same functions next, with the same
 * first. */
static bool is_clear(const struct iteration *it, const struct round_result *result)
{
    const struct factor_list *list = &result->variance->factors;
    uint32_t k = it->options->k;
    for (uint32_t i = 0; i < list->count && i < k; i++) {
        const struct factor *factor = &list->factors[i];
        bool chosen_too = i > 0 && factor->rival && factor->rival <= k;
        if (factor->contribution > it->options->threshold && !factor->separated && !chosen_too)
            return false;
    }
    return true;
}

/* A window that no longer fits into the trace gains nothing by being longer. */
static bool is_settled(const struct iteration *it, const struct round_result *result,
                       double seconds)
{
    if (result->run.overwritten_records > 0)
        return true;
    return has_enough(result) && (seconds >= LONGEST_WINDOW_SECONDS || is_clear(it, result));
}

/* Sets `going` to whether the program still runs, `found` to whether the window has intervals. */
static bool look(struct iteration *it, struct round_result *result, double seconds, bool *going,
                 bool *found, struct error *error)
{
    struct live_run *live = &it->live;
    if (*found)
        round_result_release(result);
    *found = false;
    *going = live_run_wait(live, seconds);
    if (process_interrupted())
        return live_run_end(live, error);
    if (!live_run_close_window(live, error) || (!*going && !live_run_end(live, error)))
        return false;
    *found = iteration_analyze(it, live->trace.data, result, error);
    return *found || error->code == ERROR_NOTHING;
}

static void talk_window(const struct iteration *it, const struct round_result *result, bool found,
                        double seconds)
{
    unsigned long long count = found ? result->variance->tree.intervals.count : 0;
    if (seconds > 0)
        talk_phase("[%u] watch on: %llu interval%s in %.0f s", it->round, count,
                   number_plural(count), seconds);
    else
        talk_phase("[%u] watch", it->round);
}

/* The next look is at a window twice as long, or LONGEST_WINDOW_SECONDS longer. Where this look
 * took long, vprofiler was in the program's way: then the window begins again. */
static double next_look_s(struct iteration *it, double seconds)
{
    struct live_run *live = &it->live;
    double open_s = live_run_window_s(live);
    if (open_s - seconds > LOOK_PART * seconds) {
        talk("[%u] the window begins anew, twice as long: the look at %.1f s of it took %.1f s, in "
             "which vprofiler was in the program's way",
             it->round, seconds, open_s - seconds);
        live_run_move_window(live);
        open_s = 0;
    }
    return fmin(2 * seconds - open_s, LONGEST_WINDOW_SECONDS);
}

static bool cool_latency(struct iteration *it, const struct round_result *result)
{
    const struct variance_tree *tree = &result->variance->tree;
    double most = PROBE_PART * (double)tree->nodes[0].moments.sum / PROBE_NS;
    return refine_loop_cool(&it->loop, tree, NULL, most, it->options->threshold);
}

/* A program that waits has much time, and few processors. What its probes use does not count. */
static bool cool_processors(struct iteration *it, const struct round_result *result)
{
    const struct live_run *live = &it->live;
    struct recorded_calls calls;
    recorded_calls_count(&calls, &result->run, rewriter_table(it->rewriter));
    double own_ns = live->used_ns * (double)calls.stretch_ns * 1e-9 / live_run_closed_s(live) -
                    (double)calls.all * PROBE_NS;
    double most = PROBE_PART * fmax(own_ns, LEAST_PROCESSORS * (double)calls.stretch_ns) / PROBE_NS;
    bool any = live->used_ns > 0 && refine_loop_cool(&it->loop, &result->variance->tree, calls.of,
                                                     most, it->options->threshold);
    recorded_calls_release(&calls);
    return any;
}

/* Appends the first of those that are hot now and were not. */
static void name_cooled(const struct iteration *it, const bool *was_hot, struct str *names)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    unsigned count = 0;
    for (uint32_t i = 0; i < table->function_count; i++) {
        if (!it->loop.hot[i] || was_hot[i])
            continue;
        if (count < MOST_NAMES)
            str_printf(names, "%s%s", count ? ", " : "", table->functions[i].name);
        else if (count == MOST_NAMES)
            str_append(names, ", ...");
        count++;
    }
}

static void talk_cooled(const struct iteration *it, const bool *was_hot, uint32_t count)
{
    struct str names = {0};
    name_cooled(it, was_hot, &names);
    talk("[%u] left out %u function%s called too often (%s): their time is their callers'. The "
         "window begins anew without them",
         it->round, count, number_plural(count), str_text(&names));
    str_release(&names);
}

/* The window begins again where probes take too long, without those of the functions that are
 * called most. */
static bool cool(struct iteration *it, unsigned char *on, struct round_result *result)
{
    uint32_t before = refine_loop_hot_count(&it->loop), functions = it->loop.table->function_count;
    if (!has_enough(result))
        return false;
    bool *was_hot = memory_alloc(functions + 1);
    memcpy(was_hot, it->loop.hot, functions * sizeof *was_hot);
    bool latency = cool_latency(it, result), processors = cool_processors(it, result);
    if (latency || processors) {
        talk_cooled(it, was_hot, refine_loop_hot_count(&it->loop) - before);
        round_result_release(result);
        choose_probes(it, on);
        live_run_switch(&it->live, on);
    }
    memory_free(was_hot);
    return latency || processors;
}

/* The round is the last, whatever could be opened. */
static void note_budget_ended(struct iteration *it)
{
    talk("[%u] the budget of %.0f s ended before the ranking was clear", it->round,
         it->options->budget_s);
    if (!it->stopped.length)
        str_printf(&it->stopped,
                   "The budget of %.0f s ended in round %u before its ranking was clear. "
                   "`vprofiler iterate --resume` with a longer --budget goes on.",
                   it->options->budget_s, it->round);
}

/* Watches until the ranking is settled, or the run or the budget ends. */
static bool watch(struct iteration *it, unsigned char *on, struct round_result *result, bool *found,
                  struct error *error)
{
    double seconds = 0, watched_s = 0, more_s = FIRST_WINDOW_SECONDS, left_s;
    bool going = true, advised = false, done, settled = false;
    *found = false;
    do {
        talk_window(it, result, *found, seconds);
        if (!look(it, result, more_s, &going, found, error))
            return false;
        seconds = live_run_closed_s(&it->live);
        watched_s += more_s;
        if (!*found && going && !advised && watched_s >= PATIENCE_SECONDS) {
            talk("[%u] nothing in %.0f s, and still watching. %s", it->round, watched_s,
                 error->message);
            advised = true;
        }
        left_s = iteration_seconds_left(it);
        done = !going || left_s <= 0;
        if (!done && *found && left_s > 2 * FIRST_WINDOW_SECONDS && cool(it, on, result)) {
            *found = false;
            seconds = 0;
            more_s = FIRST_WINDOW_SECONDS;
            continue;
        }
        settled = *found && is_settled(it, result, seconds);
        if (!done && !settled)
            more_s = fmin(next_look_s(it, seconds), left_s);
    } while (!done && !settled);
    if (*found && going && !settled)
        note_budget_ended(it);
    return true;
}

static bool measure_window(struct iteration *it, unsigned char *on, struct round_result *result,
                           bool *found, struct error *error)
{
    if (!it->live.started && !start_live(it, error))
        return false;
    live_run_open_window(&it->live, on);
    return watch(it, on, result, found, error);
}

/* The budget ended before any interval did: the loop ends with what the round before found. */
static bool go_back(struct iteration *it, struct round_result *result, struct error *error)
{
    struct live_run *live = &it->live;
    if (!live->started || !live->earlier[1])
        return false;
    str_printf(&it->stopped,
               "No interval was completed in round %u before the budget of %.0f s ended: these are "
               "the figures of the round before.",
               it->round, it->options->budget_s);
    return live_run_restore_window(live, error) &&
           iteration_analyze(it, live->trace.data, result, error);
}

/* A run that ends too early for a round is started again: once, and as often as it ended after its
 * window had begun again without functions that are hot. */
static bool measure_until_enough(struct iteration *it, unsigned char *on,
                                 struct round_result *result, bool *found, struct error *error)
{
    bool again;
    do {
        bool fresh = !it->live.started;
        uint32_t hot_count = refine_loop_hot_count(&it->loop);
        if (!measure_window(it, on, result, found, error))
            return false;
        again = !it->live.started && !(*found && has_enough(result)) &&
                (!fresh || refine_loop_hot_count(&it->loop) > hot_count);
        if (again)
            talk(
                "[%u] the program ended after %llu interval%s, and is run again: the window begins "
                "anew",
                it->round, (unsigned long long)(*found ? interval_count(result) : 0),
                number_plural(*found ? interval_count(result) : 0));
        if (again && *found)
            round_result_release(result);
    } while (again);
    return true;
}

bool iteration_measure_live(struct iteration *it, struct round_result *result, struct error *error)
{
    struct live_run *live = &it->live;
    bool ok = it->carried || iteration_build_carrier(it, error), found = false;
    const struct function_table *table = rewriter_table(it->rewriter);
    unsigned char *on = memory_zeroed(table->probe_count + 1);
    choose_probes(it, on);
    iteration_talk_timed(it);
    ok = ok && measure_until_enough(it, on, result, &found, error) &&
         (found || go_back(it, result, error));
    live_run_rest(live);
    memory_free(on);
    if (ok)
        str_append(&result->trace, live->trace.data);
    return ok;
}
