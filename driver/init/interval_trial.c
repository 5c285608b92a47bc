#include "driver/init/interval_trial.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/number_sort.h"
#include "driver/cli/talk.h"
#include "driver/workbench/config.h"
#include "driver/workbench/process.h"
#include "driver/workbench/source_parser.h"
#include "driver/workbench/target.h"
#include "rewriter/rewriter.h"
#include "trace/timeline_load.h"

enum { TRIED_SECONDS = 2, START_SECONDS = 10 };

/* ---- what is counted ---- */

/* The functions that hold a call of the library that receives or sends are opened. */
static bool *functions_to_open(const struct interval_trial *trial,
                               const struct function_table *table)
{
    const struct flow *flow = &trial->guess->flow;
    bool *opened = memory_zeroed(table->function_count + 1);
    for (uint32_t call = 0; call < flow->call_count; call++) {
        enum role role = flow_graph_role(&trial->guess->graph, call).role;
        uint32_t at = flow->calls[call].function;
        if (at == FLOW_NONE || (role != ROLE_RECEIVE && role != ROLE_SEND && role != ROLE_PRINT))
            continue;
        for (uint32_t i = 0; i < table->function_count; i++)
            if (table->functions[i].body && table->functions[i].line == flow->functions[at].line &&
                strcmp(table->functions[i].file, flow->functions[at].file) == 0)
                opened[i] = true;
    }
    return opened;
}

static bool is_sink(const struct interval_trial *trial, const struct function_table *table,
                    const struct probe_info *probe)
{
    const struct flow *flow = &trial->guess->flow;
    const struct function_info *within = &table->functions[probe->within];
    for (uint32_t call = 0; call < flow->call_count; call++) {
        uint32_t at = flow->calls[call].function;
        if (trial->guess->paths.sinks[call] && flow->calls[call].line == probe->line &&
            strcmp(flow->functions[at].file, within->file) == 0)
            return true;
    }
    return false;
}

/* By probe: what its calls are for. */
static enum role *roles_of_probes(const struct interval_trial *trial,
                                  const struct function_table *table)
{
    enum role *roles = memory_zeroed((table->probe_count + 1) * sizeof *roles);
    for (uint32_t i = 1; i < table->probe_count; i++) {
        const struct probe_info *probe = &table->probes[i];
        if (probe->kind != PROBE_CALL || probe->function == FUNCTION_NONE)
            continue;
        enum role role = library_role(table->functions[probe->function].name).role;
        bool sends = role == ROLE_SEND || role == ROLE_PRINT;
        if (role == ROLE_RECEIVE || (sends && is_sink(trial, table, probe)))
            roles[i] = sends ? ROLE_SEND : role;
    }
    return roles;
}

static void count_calls(struct interval_trial *trial, const struct timelines *run,
                        const enum role *roles, uint32_t probe_count)
{
    double received_ns = 0, all_ns = 0;
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete)
            all_ns += (double)(run->intervals[i].end - run->intervals[i].begin);
    for (uint32_t t = 0; t < run->thread_count; t++) {
        const struct timeline_thread *thread = &run->threads[t];
        for (uint32_t s = 0; s < thread->span_count; s++) {
            const struct span *span = &thread->spans[s];
            enum role role = span->probe < probe_count ? roles[span->probe] : ROLE_NONE;
            int64_t at = role ? timeline_label_at(thread, span->start) : -1;
            bool inside = at >= 0 && thread->labels[at].interval != INTERVAL_NONE;
            trial->answers += role == ROLE_SEND;
            trial->answers_inside += role == ROLE_SEND && inside;
            if (role == ROLE_RECEIVE && inside &&
                run->intervals[thread->labels[at].interval].complete)
                received_ns += (double)(span->end - span->start);
        }
    }
    trial->waiting = all_ns > 0 ? received_ns / all_ns : 0;
}

static void measure(struct interval_trial *trial, const struct timelines *run)
{
    int64_t *latencies = memory_alloc((run->interval_count + 1) * sizeof *latencies);
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        if (interval->complete)
            latencies[trial->count++] = interval->end - interval->begin;
        else
            trial->open++;
    }
    number_sort(latencies, trial->count);
    if (trial->count) {
        trial->p50_ns = (double)latencies[trial->count / 2];
        trial->longest_ns = (double)latencies[trial->count - 1];
    }
    memory_free(latencies);
}

/* ---- what is doubted ---- */

static struct str *doubt(struct interval_trial *trial)
{
    return &trial->doubts[trial->doubt_count++];
}

static void judge(struct interval_trial *trial)
{
    const double enough = 0.9, much = 0.5;
    double covered = trial->answers ? (double)trial->answers_inside / (double)trial->answers : 1;
    if (!trial->count) {
        str_printf(doubt(trial),
                   "no interval was completed (%llu began): does the command send requests within "
                   "%.0f seconds, and does the program answer them there?",
                   (unsigned long long)trial->open, trial->seconds);
        return;
    }
    if (covered < enough)
        str_printf(doubt(trial),
                   "only %s of the calls that answer clients are in an interval: others are "
                   "answered elsewhere",
                   number_percent_short(covered).text);
    if (trial->waiting > much)
        str_printf(doubt(trial),
                   "%s of an interval is spent in calls that receive: it is a connection, or waits "
                   "for its next request",
                   number_percent_short(trial->waiting).text);
    else if (trial->p50_ns > much * 1e9 * TRIED_SECONDS)
        str_printf(doubt(trial),
                   "an interval lasts as long as the trial: it is more than a request");
    if (trial->open > trial->count / 10)
        str_printf(
            doubt(trial), "%llu of %llu intervals did not end: its end is not on every way out",
            (unsigned long long)trial->open, (unsigned long long)(trial->open + trial->count));
}

/* ---- the run ---- */

struct attempt {
    struct config config;
    struct rewriter *rewriter;
    struct str pristine, log;
    bool *timed, *opened;
};

static bool instrument(struct interval_trial *trial, struct attempt *attempt, struct error *error)
{
    path_join(&attempt->pristine, trial->build->folder, "pristine");
    struct rewriter_options options = {.parser = source_parser_load(error),
                                       .tree = trial->build->tree.data,
                                       .pristine = attempt->pristine.data,
                                       .db = &trial->build->db,
                                       .declarations = &attempt->config.declarations,
                                       .jobs = trial->jobs};
    if (!options.parser)
        return false;
    if (trial->config && !config_read(&attempt->config, trial->config, error))
        return false;
    attempt->rewriter = rewriter_open(&options, error);
    if (!attempt->rewriter)
        return false;
    const struct function_table *table = rewriter_table(attempt->rewriter);
    attempt->opened = functions_to_open(trial, table);
    attempt->timed = memory_zeroed(table->function_count + 1);
    struct rewrite_choice choice = {.timed = attempt->timed, .opened = attempt->opened};
    return rewriter_rewrite(attempt->rewriter, &choice, error);
}

static bool run_program(struct interval_trial *trial, struct attempt *attempt, double seconds,
                        struct error *error)
{
    struct error ignored;
    path_join(&attempt->log, trial->build->folder, "run.log");
    file_remove_tree(trial->build->trace.data, &ignored);
    struct target target = {.source = trial->build->source,
                            .tree = trial->build->tree.data,
                            .build = trial->build->script.data,
                            .command = trial->command,
                            .declared = true,
                            .advice = "",
                            .seconds = (unsigned)seconds};
    struct target_round round = {
        .number = 1, .trace_directory = trial->build->trace.data, .run_log = attempt->log.data};
    trial->seconds = seconds;
    return file_make_directories(trial->build->trace.data, error) &&
           target_run(&target, &round, error);
}

static bool read_run(struct interval_trial *trial, const struct attempt *attempt,
                     struct error *error)
{
    struct timelines run;
    const struct function_table *table = rewriter_table(attempt->rewriter);
    if (!timelines_load(&run, trial->build->trace.data, error))
        return error->code == ERROR_NOTHING; /* the program did not come that far */
    enum role *roles = roles_of_probes(trial, table);
    measure(trial, &run);
    count_calls(trial, &run, roles, table->probe_count);
    memory_free(roles);
    timelines_release(&run);
    return true;
}

/* A program that has not begun within two seconds is given more. A build.sh that was there may have
 * run it already. */
static bool try_run(struct interval_trial *trial, struct attempt *attempt, struct error *error)
{
    if (!trial->command) {
        trial->seconds = trial->build->seconds;
        return read_run(trial, attempt, error);
    }
    static const unsigned seconds[] = {TRIED_SECONDS, START_SECONDS};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0] && !trial->count; i++) {
        talk_phase("run it for %u seconds", seconds[i]);
        trial->open = trial->answers = trial->answers_inside = 0;
        if (!run_program(trial, attempt, seconds[i], error) || !read_run(trial, attempt, error))
            return false;
    }
    return true;
}

bool interval_trial_run(struct interval_trial *trial, struct error *error)
{
    struct attempt attempt = {0};
    talk_phase("build it with the marks");
    bool ok = instrument(trial, &attempt, error) && build_trial_again(trial->build, error) &&
              try_run(trial, &attempt, error);
    if (ok)
        judge(trial);
    rewriter_close(attempt.rewriter);
    config_release(&attempt.config);
    memory_free(attempt.timed);
    memory_free(attempt.opened);
    str_release(&attempt.pristine);
    str_release(&attempt.log);
    return ok;
}

void interval_trial_release(struct interval_trial *trial)
{
    for (uint32_t i = 0; i < TRIAL_DOUBTS; i++)
        str_release(&trial->doubts[i]);
}
