#include "driver/loop/iteration.h"

#include <sys/statvfs.h>

#include "base/file.h"
#include "base/number.h"
#include "driver/cli/talk.h"
#include "driver/runs/kept_programs.h"
#include "trace/timeline_load.h"

bool iteration_build_and_run(struct iteration *it, struct str *trace, struct error *error)
{
    struct str build_log = {0}, run_log = {0};
    struct workdir *workdir = &it->workdir;
    bool ok = workdir_round(workdir, it->round, "build.log", &build_log, error) &&
              workdir_round(workdir, it->round, "run.log", &run_log, error) &&
              workdir_round(workdir, it->round, "trace", trace, error) &&
              file_make_directories(trace->data, error);
    struct target_round round = {
        .number = it->round,
        .trace_directory = trace->data,
        .build_log = build_log.data,
        .run_log = run_log.data,
    };
    bool both = !it->target.run && !it->target.command;
    talk_phase("[%u] %s", it->round, both ? "build and run" : "build");
    ok = ok && iteration_note_building(it, true, error) &&
         target_build(&it->target, &round, error) && iteration_note_building(it, false, error);
    if (ok && !both && !it->options->live) {
        talk_phase("[%u] run (built in %.1f s)", it->round, round.build_seconds);
        ok = target_run(&it->target, &round, error);
    }
    str_release(&build_log);
    str_release(&run_log);
    return ok;
}

static unsigned marked_functions(struct iteration *it)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    unsigned count = 0;
    for (uint32_t i = 0; i < table->function_count; i++)
        count += table->functions[i].marks;
    return count;
}

/* A live program may not have had the time for an interval. */
static bool is_out_of_time(const struct iteration *it)
{
    return it->options->live && iteration_seconds_left(it) <= 0;
}

/* An empty profile is never shown: the error says why there is nothing. */
static bool explain_nothing(struct iteration *it, const struct timelines *run, struct error *error)
{
    uint64_t begins = run->marks[VPROF_MARK_BEGIN], ends = run->marks[VPROF_MARK_END];
    struct str why = {0};
    if (is_out_of_time(it))
        str_printf(&why,
                   "The budget of %.0f s ended, so what would have come is not known: have a "
                   "longer one (--budget), or none.",
                   it->options->budget_s);
    else
        str_append(&why, begins == 0 ? "The program ran but never came to SI_BEGIN: does the run "
                                       "send it requests, and long enough?"
                         : ends > 0 && run->intervals_outside > 0
                             ? "None lies in the time that was watched: does its load go on?"
                             : "SI_END must be called with the id of its SI_BEGIN, in the same "
                               "process.");
    error_set(error, ERROR_NOTHING,
              "No interval was completed. Functions with annotations: %u; processes with the "
              "runtime attached: %u; SI_BEGIN reached: %llu times; SI_END reached: %llu times. %s",
              marked_functions(it), run->process_count, (unsigned long long)begins,
              (unsigned long long)ends, why.data);
    str_release(&why);
    return false;
}

enum { SMALLEST_TRACE_BYTES = 65536 };

static bool explain_no_trace(struct iteration *it, const char *trace, struct error *error)
{
    struct statvfs disk;
    if (statvfs(trace, &disk) == 0 && disk.f_bavail * disk.f_frsize < SMALLEST_TRACE_BYTES)
        return error_set(error, ERROR_NOTHING,
                         "The program left no trace: the disk of %s is full. Make room there, or "
                         "take a folder on another disk (--out).",
                         trace);
    if (is_out_of_time(it))
        return error_set(error, ERROR_NOTHING,
                         "The program left no trace before the budget of %.0f s ended. Have a "
                         "longer one (--budget), or none.",
                         it->options->budget_s);
    return error_set(error, ERROR_NOTHING,
                     "The program left no trace: annotations compiled into %u functions, but the "
                     "runtime was never loaded, or may not write to %s. Is the program linked "
                     "statically, set-uid, run as another user, or started in a cleaned "
                     "environment (env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.",
                     marked_functions(it), trace);
}

bool iteration_analyze(struct iteration *it, const char *trace, struct round_result *result,
                       struct error *error)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    talk_phase("[%u] analyse", it->round);
    if (!timelines_open(&result->run, trace, error)) {
        if (error->code == ERROR_NOTHING)
            explain_no_trace(it, trace, error);
        return false;
    }
    if (result->run.process_count == 0) { /* a recorder's files are no trace of the program */
        timelines_release(&result->run);
        return explain_no_trace(it, trace, error);
    }
    kept_programs_use(&result->run, trace);
    const struct family_input input = {.run = &result->run, .functions = table};
    if (results_make(&result->results, &input, error)) {
        result->variance = variance_of(results_of(&result->results, &family_variance));
        shown_intervals_make(&result->shown, &result->run, table,
                             &result->variance->tree.intervals);
        return true;
    }
    if (error->code == ERROR_NOTHING)
        explain_nothing(it, &result->run, error);
    timelines_release(&result->run);
    return false;
}

/* Marks of the source are recorded in round 0 too. Where nothing was attached then, round 1 may. */
bool iteration_check_load(struct iteration *it, const char *trace, struct error *error)
{
    struct timelines run = {0};
    struct error ignored;
    bool any = false;
    if (it->options->live || it->target.declared || !rewriter_annotated(it->rewriter) ||
        !file_exists(trace) || !timelines_open(&run, trace, &ignored))
        return true;
    for (uint32_t i = 0; i < run.interval_count && !any; i++)
        any = run.intervals[i].complete;
    if (!any)
        explain_nothing(it, &run, error);
    timelines_release(&run);
    return any;
}

bool iteration_write_functions(struct iteration *it, struct error *error)
{
    struct str path = {0};
    bool ok = workdir_round(&it->workdir, it->round, "functions.json", &path, error) &&
              function_table_write(rewriter_table(it->rewriter), path.data, error);
    str_release(&path);
    return ok;
}

bool iteration_rewrite(struct iteration *it, const bool *timed, const bool *opened,
                       struct error *error)
{
    struct rewrite_choice choice = {
        .timed = timed, .opened = opened, .synchronization = true, .paces = it->loop.paces};
    if (!rewriter_rewrite(it->rewriter, &choice, error))
        return false;
    probed_files_note(&it->probed, rewriter_table(it->rewriter), it->workdir.tree.data);
    return true;
}

/* Lost probes are told of at once: the round may find nothing at all without them. */
void iteration_find_lost_probes(struct iteration *it)
{
    probed_files_find_lost(&it->probed, it->workdir.tree.data);
    if (it->probed.lost_count)
        talk("[%u] the build made %s again, without its probes", it->round, it->probed.lost.data);
}

void iteration_talk_timed(const struct iteration *it)
{
    uint32_t timed = refine_loop_timed_count(&it->loop);
    talk_phase("[%u] time %u function%s", it->round, timed, number_plural(timed));
}

/* The files that an interrupted round left there are no part of this one. */
static bool measure(struct iteration *it, struct str *trace, struct error *error)
{
    struct error ignored;
    if (!workdir_round(&it->workdir, it->round, "trace", trace, error))
        return false;
    file_remove_tree(trace->data, &ignored);
    if (!iteration_build_and_run(it, trace, error))
        return false;
    iteration_find_lost_probes(it);
    return true;
}

/* What was measured may have been cleaned away since. */
static bool has_measured(const struct iteration *it)
{
    struct str trace = {0};
    struct error ignored;
    bool has = it->state.measured && it->state.round == it->round &&
               workdir_round(&it->workdir, it->round, "trace", &trace, &ignored) &&
               file_exists(trace.data);
    str_release(&trace);
    return has;
}

bool iteration_measure_built(struct iteration *it, struct round_result *result, struct error *error)
{
    result->measured_before = has_measured(it);
    iteration_talk_timed(it);
    return iteration_rewrite(it, it->loop.timed, it->loop.opened, error) &&
           iteration_write_functions(it, error) &&
           (result->measured_before
                ? workdir_round(&it->workdir, it->round, "trace", &result->trace, error)
                : measure(it, &result->trace, error)) &&
           iteration_analyze(it, result->trace.data, result, error);
}

void round_result_release(struct round_result *result)
{
    shown_intervals_release(&result->shown);
    results_release(&result->results);
    timelines_release(&result->run);
}

void iteration_drop_trace(const struct iteration *it, const char *trace)
{
    struct error ignored;
    if (!it->options->keep)
        file_remove_tree(trace, &ignored);
}
