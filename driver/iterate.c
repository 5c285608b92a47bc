#include "driver/iterate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/file.h"
#include "driver/ask.h"
#include "driver/config.h"
#include "driver/given.h"
#include "driver/installation.h"
#include "driver/kept_programs.h"
#include "driver/mirror.h"
#include "driver/outcome.h"
#include "driver/probed_files.h"
#include "driver/process.h"
#include "driver/refine_loop.h"
#include "driver/shown_intervals.h"
#include "driver/talk.h"
#include "driver/target.h"
#include "driver/workdir.h"
#include "report/number.h"
#include "rewriter/rewriter.h"

/* One loop from beginning to end. */
struct iteration {
    const struct iterate_options *options;
    char source[PATH_MAX];
    /* Absolute: the parser changes the working directory. Empty where there is none. */
    char build[PATH_MAX], run[PATH_MAX], config_path[PATH_MAX], commands[PATH_MAX];
    char out[PATH_MAX];
    struct workdir workdir;
    struct config config;
    struct compile_db db;
    struct rewriter *rewriter;
    struct probed_files probed;
    struct refine_loop loop;
    struct target target;
    unsigned round;                /* the current one; 0 is the tree as it is */
    struct interval_summary first; /* of the first instrumented round; count 0: not yet */
    char host[65], date[32], commit[64];
};

/* What one round measured. */
struct round_result {
    struct timelines run;
    struct variance_result variance;
    struct shown_intervals shown;
};

/* ---- before the loop: the config, the mirror, the build as it is, the facts ---- */

static bool check_parts(struct error *error)
{
    if (installation_runtime() && installation_recorder() && installation_include())
        return true;
    return error_set(error, ERROR_SYSTEM,
                     "libvprof.so, libvprof_record.so or vprof_api.h is not where it should be "
                     "beside this program. Install vprofiler again, or build it with `make`.");
}

static bool find_files(struct iteration *it, struct error *error)
{
    const struct iterate_options *options = it->options;
    return given_script(options->build, "build script", "build", it->build, error) &&
           given_script(options->run, "run script", "run", it->run, error) &&
           given_file(options->config, "config", "config", it->config_path, error) &&
           given_file(options->commands, "list of compile commands", "compile-commands",
                      it->commands, error) &&
           given_folder(options->source, "source folder", "source", it->source, error);
}

/* Said before anything is copied or built. */
static bool check_commands(const struct iteration *it, struct error *error)
{
    struct compile_db db = {0};
    bool ok = !*it->commands || compile_db_read_json(&db, it->commands, error);
    compile_db_release(&db);
    if (!ok)
        error->code = ERROR_USAGE;
    return ok;
}

static bool read_config(struct iteration *it, struct error *error)
{
    struct str path = {0};
    path_join(&path, it->source, "vprofiler.json");
    const char *config = *it->config_path ? it->config_path : path.data;
    bool ok = !file_exists(config) || config_read(&it->config, config, error);
    str_release(&path);
    return ok;
}

static void note_origin(struct iteration *it)
{
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(it->host, sizeof it->host, "%s", system.nodename);
    time_t now = time(NULL);
    strftime(it->date, sizeof it->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    struct str command = {0};
    str_printf(&command, "git --no-optional-locks -C '%s' rev-parse --short=12 HEAD 2>/dev/null",
               it->source);
    FILE *pipe = strchr(it->source, '\'') ? NULL : popen(command.data, "r");
    if (pipe && fgets(it->commit, sizeof it->commit, pipe))
        it->commit[strcspn(it->commit, "\n")] = '\0';
    if (pipe)
        pclose(pipe);
    str_release(&command);
}

static bool make_mirror(struct iteration *it, struct error *error)
{
    if (!read_config(it, error) || !check_commands(it, error) ||
        !given_out(it->options->out, it->source, it->out, error) ||
        !workdir_create(&it->workdir, it->out, error))
        return false;
    note_origin(it);
    talk_phase("[0] copy the source tree to %s", it->workdir.tree.data);
    it->target = (struct target){
        .source = it->source,
        .tree = it->workdir.tree.data,
        .build = it->build,
        .run = *it->run ? it->run : NULL,
        .command = it->options->command,
        .declared = it->config.declarations.mark_count > 0,
        .compile_log = it->workdir.compile_log.data,
    };
    struct str left_out = {0};
    bool ok =
        mirror_copy(it->source, it->workdir.out.data, it->workdir.tree.data, &left_out, error);
    if (ok && left_out.length)
        talk(
            "[0] left out, because they were configured for your tree: %s. The build script has to "
            "configure them (cmake -S . -B build)",
            left_out.data);
    str_release(&left_out);
    return ok;
}

/* What the recorder and the user's compile_commands.json know; none is not an error yet. */
static bool read_commands(struct iteration *it, struct error *error)
{
    struct str beside = {0};
    const char *named = *it->commands ? it->commands : NULL;
    bool ok = true;
    path_join(&beside, it->workdir.tree.data, "compile_commands.json");
    if (named || file_exists(beside.data))
        ok = compile_db_read_json(&it->db, named ? named : beside.data, error);
    /* What was recorded names the work tree already. */
    compile_db_relocate(&it->db, it->source, it->workdir.tree.data);
    if (ok && !named && file_exists(it->workdir.compile_log.data))
        ok = compile_db_read_log(&it->db, it->workdir.compile_log.data, error);
    str_release(&beside);
    return ok;
}

static bool open_rewriter(struct iteration *it, struct error *error)
{
    struct str cache = {0};
    path_join(&cache, it->workdir.out.data, "cache/facts");
    struct rewriter_options options = {
        .tree = it->workdir.tree.data,
        .pristine = it->workdir.pristine.data,
        .db = &it->db,
        .declarations = &it->config.declarations,
        .jobs = it->options->jobs,
        .cache = cache.data,
    };
    talk_phase("[0] parse %u compilations", it->db.count);
    it->rewriter = rewriter_open(&options, error);
    str_release(&cache);
    if (!it->rewriter)
        return false;
    if (refine_loop_init(&it->loop, rewriter_table(it->rewriter)))
        return true;
    return error_set(
        error, ERROR_NOTHING,
        "No function of the program marks an interval. Put SI_BEGIN(id) and "
        "SI_END(id) of vprof_api.h where a request starts and ends, or declare them "
        "in vprofiler.json (see docs/config.md). Try `vprofiler init`: it shows likely "
        "places.");
}

/* ---- a round ---- */

static bool build_and_run(struct iteration *it, struct str *trace, struct error *error)
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
    ok = ok && target_build(&it->target, &round, error);
    if (ok && !both) {
        talk_phase("[%u] run (built in %.1f s)", it->round, round.build_seconds);
        ok = target_run(&it->target, &round, error);
    }
    str_release(&build_log);
    str_release(&run_log);
    return ok;
}

/* The build must stay in the copy. */
static bool check_place(const struct iteration *it, struct error *error)
{
    for (uint32_t i = 0; i < it->db.count; i++) {
        const char *file = it->db.commands[i].file;
        if (path_below(file, it->source) && !path_below(file, it->workdir.tree.data))
            return error_set(error, ERROR_TARGET,
                             "The build left the copy: it compiled %s. The build script must work "
                             "in the folder it is started in ($VPROF_TREE) and name nothing of the "
                             "source tree by an absolute path.",
                             file);
    }
    return true;
}

/* A tree that was built before compiles nothing: its sources are made new in the copy, and it is
 * built once more. */
static bool find_commands(struct iteration *it, struct str *trace, struct error *error)
{
    if (!read_commands(it, error))
        return false;
    if (it->db.count == 0) {
        talk("[0] nothing was compiled: once more, with every source file new");
        if (!mirror_touch_sources(it->workdir.tree.data, error) ||
            !build_and_run(it, trace, error) || !read_commands(it, error))
            return false;
    }
    if (!check_place(it, error))
        return false;
    if (it->db.count > 0)
        return true;
    return error_set(error, ERROR_TARGET,
                     "No compile commands: %s started no C or C++ compiler, and there is no "
                     "compile_commands.json in %s. Let the build script compile the program "
                     "(perhaps after a make clean), or name a file with --compile-commands FILE.",
                     it->options->build, it->source);
}

/* An empty profile is never shown: say why there is nothing. */
static bool explain_nothing(const struct timelines *run, unsigned marked, struct error *error)
{
    uint64_t begins = run->marks[MARK_BEGIN], ends = run->marks[MARK_END];
    return error_set(error, ERROR_NOTHING,
                     "No interval was completed. Functions with annotations: %u; processes with "
                     "the runtime attached: %u; SI_BEGIN reached: %llu times; SI_END reached: %llu "
                     "times. %s",
                     marked, run->process_count, (unsigned long long)begins,
                     (unsigned long long)ends,
                     begins == 0 ? "The program ran but never came to SI_BEGIN: does the run send "
                                   "it requests, and long enough?"
                                 : "SI_END must be called with the id of its SI_BEGIN, in the same "
                                   "process.");
}

static unsigned marked_functions(struct iteration *it)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    unsigned count = 0;
    for (uint32_t i = 0; i < table->function_count; i++)
        count += table->functions[i].marks;
    return count;
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
    return error_set(error, ERROR_NOTHING,
                     "The program left no trace: annotations compiled into %u functions, but the "
                     "runtime was never loaded, or may not write to %s. Is the program linked "
                     "statically, set-uid, run as another user, or started in a cleaned "
                     "environment (env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.",
                     marked_functions(it), trace);
}

static bool analyze(struct iteration *it, const char *trace, struct round_result *result,
                    struct error *error)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    *result = (struct round_result){0};
    talk_phase("[%u] analyse", it->round);
    if (!timelines_open(&result->run, trace, error)) {
        if (error->code == ERROR_NOTHING)
            explain_no_trace(it, trace, error);
        return false;
    }
    if (variance_analyze(&result->variance, &result->run, table, error)) {
        shown_intervals_make(&result->shown, &result->run, table, &result->variance.tree.intervals);
        return true;
    }
    if (error->code == ERROR_NOTHING)
        explain_nothing(&result->run, marked_functions(it), error);
    timelines_release(&result->run);
    return false;
}

static bool rewrite(struct iteration *it, struct error *error)
{
    struct rewrite_choice choice = {
        .timed = it->loop.timed, .opened = it->loop.opened, .synchronization = true};
    struct str path = {0};
    uint32_t timed = refine_loop_timed_count(&it->loop);
    talk_phase("[%u] time %u function%s", it->round, timed, number_plural(timed));
    bool ok = rewriter_rewrite(it->rewriter, &choice, error) &&
              workdir_round(&it->workdir, it->round, "functions.json", &path, error) &&
              function_table_write(rewriter_table(it->rewriter), path.data, error);
    if (ok)
        probed_files_note(&it->probed, rewriter_table(it->rewriter), it->workdir.tree.data);
    str_release(&path);
    return ok;
}

/* Said at once: without its probes, the round may find nothing at all. */
static void find_lost_probes(struct iteration *it)
{
    probed_files_find_lost(&it->probed, it->workdir.tree.data);
    if (it->probed.lost_count)
        talk("[%u] the build made %s again, without its probes", it->round, it->probed.lost.data);
}

/* ---- what a round found ---- */

static void fill_report(struct iteration *it, struct round_result *result, struct report *report)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    const char *slash = strrchr(it->source, '/');
    *report = (struct report){
        .target = slash && slash[1] ? slash + 1 : it->source,
        .rounds = it->round,
        .top = it->options->k,
        .threshold = it->options->threshold,
        .functions_timed = refine_loop_timed_count(&it->loop),
        .lost_records = result->run.lost_records,
        .tree = &result->variance.tree,
        .factors = &result->variance.factors,
        .tail = &result->variance.tail,
        .timelines = result->shown.timelines,
        .timeline_count = result->shown.count,
        .origin = {.command = it->options->words,
                   .commit = *it->commit ? it->commit : NULL,
                   .compiler = it->db.count ? it->db.commands[0].arguments[0] : NULL,
                   .host = it->host,
                   .clock = result->run.clock,
                   .date = it->date},
    };
    for (uint32_t i = 0; i < table->function_count; i++)
        report->functions_known += table->functions[i].body;
}

static bool write_skips(struct iteration *it, const char *folder, uint32_t *count,
                        struct error *error)
{
    struct str text = {0}, path = {0};
    const struct rewriter_skip *skips = rewriter_skips(it->rewriter, count);
    for (uint32_t i = 0; i < *count; i++)
        str_printf(&text, "%s:%u: %s: %s\n", skips[i].file, skips[i].line, skips[i].name,
                   skips[i].reason);
    path_join(&path, folder, "skips.txt");
    bool ok = file_write(path.data, str_text(&text), text.length, error);
    str_release(&text);
    str_release(&path);
    return ok;
}

static bool write_outcome(struct iteration *it, struct round_result *result, bool last,
                          struct error *error)
{
    struct outcome outcome = {.run = &result->run, .first = &it->first, .probed = &it->probed};
    struct str folder = {0};
    fill_report(it, result, &outcome.report);
    if (!outcome_check(&result->variance.tree, error))
        return false;
    bool ok = last ? (path_join(&folder, it->workdir.root.data, "."), true)
                   : workdir_round(&it->workdir, it->round, ".", &folder, error);
    ok = ok && write_skips(it, folder.data, &outcome.skipped, error);
    outcome_judge(&outcome);
    ok = ok && outcome_write(&outcome, folder.data, error);
    if (ok && last) {
        talk_pause();
        outcome_print(&outcome, it->options->json);
    }
    str_release(&folder);
    return ok;
}

static void talk_factors(const struct iteration *it, const struct round_result *result)
{
    const struct factor_list *list = &result->variance.factors;
    const struct interval_summary *intervals = &result->variance.tree.intervals;
    talk("[%u] %llu intervals of %s, standard deviation %s", it->round,
         (unsigned long long)intervals->count, number_ns(intervals->mean_ns, false).text,
         number_ns(intervals->stddev_ns, false).text);
    if (list->count)
        talk_best(list->factors[0].names[0], list->factors[0].contribution);
    for (uint32_t i = 0; i < list->count && i < it->options->k; i++) {
        const struct factor *factor = &list->factors[i];
        if (factor->contribution > it->options->threshold)
            talk("    %u. %5.1f %%  %s%s%s", i + 1, factor->contribution * 100, factor->names[0],
                 factor->names[1] ? " x " : "", factor->names[1] ? factor->names[1] : "");
    }
}

/* Opens what is wanted of this round's factors; false: the loop is done. */
static bool refine(struct iteration *it, const struct round_result *result)
{
    uint32_t count;
    const struct iterate_options *options = it->options;
    struct proposal *proposals =
        refine_loop_propose(&it->loop, &result->variance, options->k, options->threshold, &count);
    bool opened = false;
    bool more = !options->max_rounds || it->round < options->max_rounds;
    for (uint32_t i = 0; more && i < count; i++) {
        const struct proposal *proposal = &proposals[i];
        const struct factor *factor = proposal->factor == PROPOSAL_OUTSIDE
                                          ? NULL
                                          : &result->variance.factors.factors[proposal->factor];
        if (!options->automatic)
            talk_pause();
        if (!options->automatic && !ask_to_open(factor, proposal, rewriter_table(it->rewriter)))
            continue;
        refine_loop_open(&it->loop, proposal);
        opened = true;
    }
    refine_loop_free_proposals(proposals, count);
    return opened;
}

static void drop_trace(struct iteration *it, const char *trace)
{
    struct error ignored;
    if (!it->options->keep)
        file_remove_tree(trace, &ignored);
}

/* Rewrite, build, run, analyse; sets `more` where the loop goes on. */
static bool do_round(struct iteration *it, bool *more, struct error *error)
{
    struct str trace = {0};
    struct round_result result;
    it->round++;
    bool ok = rewrite(it, error) && build_and_run(it, &trace, error);
    if (ok)
        find_lost_probes(it);
    ok = ok && analyze(it, trace.data, &result, error);
    if (ok) {
        if (it->first.count == 0) {
            it->first = result.variance.tree.intervals;
            it->first.types = NULL; /* of the round's arena */
            it->first.values = NULL;
        }
        talk_factors(it, &result);
        ok = write_outcome(it, &result, false, error);
        *more = ok && refine(it, &result);
        if (ok && !*more)
            ok = write_outcome(it, &result, true, error);
        ok = ok && kept_programs_save(&result.run, it->workdir.tree.data, trace.data, error);
        if (*more && it->round == 1)
            talk("    the first picture: %s/rounds/01/report.html", it->workdir.root.data);
        if (*more)
            drop_trace(it, trace.data);
        shown_intervals_release(&result.shown);
        variance_result_release(&result.variance);
        timelines_release(&result.run);
    }
    str_release(&trace);
    return ok;
}

/* ---- the whole ---- */

static bool run_loop(struct iteration *it, struct error *error)
{
    struct str trace = {0};
    bool ok = make_mirror(it, error) && build_and_run(it, &trace, error) &&
              find_commands(it, &trace, error) && open_rewriter(it, error);
    if (ok)
        drop_trace(it, trace.data);
    str_release(&trace);
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

bool iterate(const struct iterate_options *options, struct error *error)
{
    struct iteration it = {.options = options};
    if (!check_parts(error) || !find_files(&it, error))
        return false;
    process_catch_interrupts();
    bool ok = run_loop(&it, error);
    if (it.source[0] && !options->keep && (ok || error->code != ERROR_TARGET))
        workdir_sweep(&it.workdir);
    probed_files_release(&it.probed);
    refine_loop_release(&it.loop);
    rewriter_close(it.rewriter);
    compile_db_release(&it.db);
    config_release(&it.config);
    workdir_release(&it.workdir);
    return ok;
}
