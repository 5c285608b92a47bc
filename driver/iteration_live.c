#include "driver/iteration.h"

#include "base/file.h"
#include "base/memory.h"
#include "driver/process.h"
#include "driver/talk.h"

/* Few intervals are rough, and those of a run that is over become no more. */
enum { ENOUGH_INTERVALS = 200 };
#define FIRST_WINDOW_SECONDS 2.0
#define LONGEST_WINDOW_SECONDS 32.0

static bool build_carrier(struct iteration *it, struct error *error)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    bool *all = memory_zeroed(table->function_count + 1);
    for (uint32_t i = 0; i < table->function_count; i++)
        all[i] = table->functions[i].body;
    struct target_round round = {.number = it->round};
    struct str log = {0};
    talk_phase("[%u] build with probes in all functions, switched off", it->round);
    bool ok = iteration_rewrite(it, all, all, error) &&
              workdir_round(&it->workdir, it->round, "build.log", &log, error);
    round.build_log = log.data;
    ok = ok && target_build(&it->target, &round, error);
    if (ok)
        iteration_find_lost_probes(it);
    it->carried = ok;
    str_release(&log);
    memory_free(all);
    return ok;
}

/* What a run that was interrupted or too short left of this round is no part of it. */
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

static bool has_enough(const struct round_result *result)
{
    return result->variance.tree.intervals.count >= ENOUGH_INTERVALS;
}

/* What is opened next would be the same in another window. */
static bool is_clear(const struct iteration *it, const struct round_result *result)
{
    const struct factor_list *list = &result->variance.factors;
    for (uint32_t i = 0; i < list->count && i < it->options->k; i++)
        if (list->factors[i].contribution > it->options->threshold && !list->factors[i].separated)
            return false;
    return true;
}

/* Makes the window longer until it is clear, or the run ends; `found`: it has intervals. */
static bool watch(struct iteration *it, struct round_result *result, bool *found,
                  struct error *error)
{
    struct live_run *live = &it->live;
    bool going = true, done = false;
    double seconds = 0;
    for (*found = false; !done;) {
        double more = seconds > 0 ? seconds : FIRST_WINDOW_SECONDS;
        if (*found)
            round_result_release(result);
        talk_phase("[%u] watch", it->round);
        going = live_run_wait(live, more);
        seconds += more;
        if (process_interrupted())
            return live_run_end(live, error);
        if (!live_run_close_window(live, error) || (!going && !live_run_end(live, error)))
            return false;
        *found = iteration_analyze(it, live->trace.data, result, error);
        if (!*found && error->code != ERROR_NOTHING)
            return false;
        done = !going || (*found && has_enough(result) &&
                          (seconds >= LONGEST_WINDOW_SECONDS || is_clear(it, result)));
    }
    return true;
}

/* A run that ends too early for a round is started again, once for each round. */
bool iteration_measure_live(struct iteration *it, struct round_result *result, struct error *error)
{
    struct live_run *live = &it->live;
    bool ok = it->carried || build_carrier(it, error), found = false, fresh = false;
    const struct function_table *table = rewriter_table(it->rewriter);
    unsigned char *on = memory_zeroed(table->probe_count + 1);
    choose_probes(it, on);
    iteration_talk_timed(it);
    while (ok && !found && !fresh) {
        fresh = !live->started;
        ok = live->started || start_live(it, error);
        if (ok)
            live_run_open_window(live, on);
        ok = ok && watch(it, result, &found, error);
        if (found && !fresh && !live->started && !has_enough(result)) {
            round_result_release(result);
            found = false;
        }
    }
    live_run_rest(live);
    memory_free(on);
    if (ok && found)
        str_append(&result->trace, live->trace.data);
    return ok && found;
}
