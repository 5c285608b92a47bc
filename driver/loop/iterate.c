#include "driver/loop/iterate.h"

#include <math.h>

#include "base/clock.h"
#include "driver/cli/talk.h"
#include "driver/loop/ask.h"
#include "driver/loop/iteration.h"
#include "driver/loop/proposal.h"
#include "driver/runs/kept_programs.h"
#include "driver/workbench/process.h"

double iteration_seconds_left(const struct iteration *it)
{
    double budget_s = it->options->budget_s;
    return budget_s > 0 ? it->start_s + budget_s - clock_s() : INFINITY;
}

/* Tells whether there may be a round for what could be opened. */
static bool may_go_on(struct iteration *it)
{
    const struct iterate_options *options = it->options;
    double left_s = iteration_seconds_left(it);
    if (it->stopped.length == 0 && options->max_rounds && it->round >= options->max_rounds)
        str_printf(&it->stopped,
                   "There is more to open, but this was the last round that --max-rounds allows. "
                   "`vprofiler iterate --resume --max-rounds %u` goes on.",
                   options->max_rounds + 2);
    else if (it->stopped.length == 0 && it->state.longest_s > left_s)
        str_printf(&it->stopped,
                   "There is more to open, but a round as long as the longest (%.0f s) would not "
                   "fit into the budget of %.0f s, of which %.0f s are spent. `vprofiler iterate "
                   "--resume` goes on.",
                   it->state.longest_s, options->budget_s, options->budget_s - left_s);
    return it->stopped.length == 0;
}

/* Opens what is wanted of this round's factors; false: the loop is done. */
static bool refine(struct iteration *it, const struct round_result *result)
{
    uint32_t count;
    const struct iterate_options *options = it->options;
    struct proposal *proposals =
        proposals_make(&it->loop, result->variance, options->k, options->threshold, &count);
    bool opened = false;
    bool more = count > 0 && may_go_on(it);
    for (uint32_t i = 0; more && i < count; i++) {
        struct proposal *proposal = &proposals[i];
        const struct factor *factor = proposal->factor == PROPOSAL_OUTSIDE
                                          ? NULL
                                          : &result->variance->factors.factors[proposal->factor];
        if (!options->automatic)
            talk_pause();
        if (!options->automatic && !ask_to_open(&it->asker, &it->loop, factor, proposal))
            continue;
        refine_loop_open(&it->loop, proposal);
        opened = true;
    }
    proposals_release(proposals, count);
    return opened;
}

/* A round whose build lost probes is measured again when it is resumed: what was lost is told by
 * the build alone. So is one of a live run, whose trace is also that of the rounds before. */
static bool keep_measure(struct iteration *it, const struct round_result *result,
                         struct error *error)
{
    double round_s = clock_s() - it->round_start_s;
    if (round_s > it->state.longest_s)
        it->state.longest_s = round_s;
    if (it->state.first.count == 0) {
        it->state.first = result->variance->tree.intervals;
        it->state.first.types = NULL; /* of the round's arena */
        it->state.first.work.values = NULL;
    }
    return kept_programs_save(&result->run, it->workdir.tree.data, result->trace.data, error) &&
           iteration_save(it, it->round, it->probed.lost_count == 0 && !it->options->live, error);
}

/* The program writes to its trace until it ends. What the files hold then is the result, and the
 * round's: whoever reads them again finds the same. */
static bool end_program(struct iteration *it, struct round_result *result, struct error *error)
{
    if (!it->live.started)
        return true;
    talk_phase("[%u] end the program", it->round);
    live_run_release(&it->live);
    round_result_release(result);
    return iteration_analyze(it, result->trace.data, result, error) &&
           iteration_write_outcome(it, result, false, error);
}

/* Writes the round's reports, and opens what is next. */
static bool conclude(struct iteration *it, struct round_result *result, bool *more,
                     struct error *error)
{
    iteration_talk_found(it, result);
    if (!iteration_write_outcome(it, result, false, error))
        return false;
    if (it->round == 1)
        talk("    the first picture: %s/rounds/01/report.html", it->workdir.root.data);
    *more = refine(it, result);
    if (*more)
        return iteration_save(it, it->round + 1, false, error);
    return end_program(it, result, error) && iteration_write_outcome(it, result, true, error);
}

/* A round that did not come to an end is measured again. That of a live run is also the trace of
 * the rounds before. */
static void drop_unmeasured(const struct iteration *it, const char *trace)
{
    if (trace && !it->options->live && !(it->state.measured && it->state.round == it->round))
        iteration_drop_trace(it, trace);
}

/* Sets `more` where the loop goes on. */
static bool do_round(struct iteration *it, bool *more, struct error *error)
{
    struct round_result result = {0};
    bool live = it->options->live;
    it->round_start_s = clock_s();
    it->round++;
    bool ok = live ? iteration_measure_live(it, &result, error)
                   : iteration_measure_built(it, &result, error);
    if (ok) {
        ok = (result.measured_before || keep_measure(it, &result, error)) &&
             conclude(it, &result, more, error);
        if (*more && !live)
            iteration_drop_trace(it, result.trace.data);
        round_result_release(&result);
    }
    if (!ok)
        drop_unmeasured(it, result.trace.data);
    str_release(&result.trace);
    return ok;
}

static bool run_loop(struct iteration *it, struct error *error)
{
    bool ok = iteration_prepare(it, error);
    for (bool more = ok; ok && more;) {
        more = false;
        ok = do_round(it, &more, error);
    }
    if (!ok)
        return false;
    if (!workdir_finish(&it->workdir, error))
        return false;
    talk("\nwrote %s/latest/report.html, report.json, report.txt", it->options->out);
    return true;
}

/* What failed is looked at, and what was broken off or ended early can be resumed. */
static bool is_copy_wanted(const struct iteration *it, bool ok, const struct error *error)
{
    bool going_on = it->state.round > 0 && !it->state.building;
    return it->options->keep || (ok && it->stopped.length > 0) ||
           (!ok && (error->code == ERROR_TARGET || (error->code == ERROR_STOPPED && going_on)));
}

bool iterate(const struct iterate_options *options, struct error *error)
{
    struct iteration it = {.options = options, .start_s = clock_s()};
    if (!iteration_find_files(&it, error) ||
        !kernel_recording_require(kernel_mode_of(options->kernel), error))
        return false;
    process_catch_interrupts();
    bool ok = run_loop(&it, error);
    if (!ok && it.round > 1)
        talk("what the rounds before found: %s/rounds/%02u/report.html", it.workdir.root.data,
             it.round - 1);
    if (!ok && error->code == ERROR_STOPPED && it.state.typed)
        error_set(error, ERROR_STOPPED,
                  "Interrupted. Nothing of yours was changed. To go on: vprofiler iterate --resume "
                  "--out %s",
                  options->out);
    if (it.source[0] && !is_copy_wanted(&it, ok, error))
        workdir_sweep(&it.workdir);
    live_run_release(&it.live);
    probed_files_release(&it.probed);
    asker_release(&it.asker);
    refine_loop_release(&it.loop);
    rewriter_close(it.rewriter);
    compile_db_release(&it.db);
    config_release(&it.config);
    workdir_release(&it.workdir);
    loop_state_release(&it.state);
    str_release(&it.stopped);
    return ok;
}
