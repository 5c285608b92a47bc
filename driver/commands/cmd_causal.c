#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/commands/watched_program.h"
#include "driver/experiments/experiment_run.h"
#include "driver/runs/outcome.h"
#include "driver/runs/trace_files.h"
#include "driver/workbench/given.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/workdir.h"
#include "report/causal/causal_report.h"
#include "trace/timeline_load.h"

struct causal_values {
    const char *result, *out, *functions, *progress;
    const char *const *function_names, *const *locks, *const *waits;
    double budget_s;
    unsigned seed;
    bool json;
    char *const *command;
};

#define AT(member) offsetof(struct causal_values, member)

static const struct option_spec options[] = {
    OPTION("function", TEXT, AT(function_names), "NAME", NULL,
           "a function that is to seem faster, and may be given several times", .repeatable = true),
    OPTION("lock", TEXT, AT(locks), "NAME", NULL,
           "all that is done while that lock is held, by the name that its locking calls give it",
           .repeatable = true),
    OPTION("waits", TEXT, AT(waits), "disk|network|timer", NULL,
           "the waits that a disk, the world outside or a time ends", .repeatable = true),
    OPTION("progress", TEXT, AT(progress), "FUNCTION", NULL,
           "each call of it is a unit of work; otherwise VPROF_PROGRESS or an interval's end is"),
    OPTION("functions", FILE, AT(functions), "FILE", NULL,
           "the functions.json of the program; otherwise that of the present folder"),
    OPTION("budget", DURATION, AT(budget_s), "TIME", NULL,
           "how long all experiments may take; otherwise a minute for each target"),
    OPTION("seed", WHOLE, AT(seed), "N", "1", "another order of the experiments", .most = INT_MAX),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where the result of COMMAND goes"),
    FLAG("json", AT(json), "print vprofiler.causal/1 on stdout"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, AT(result), "RESULT",
             "a result that holds experiments; otherwise vprofiler-out, its latest"),
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...",
             "what runs the program and its load; it is experimented with"),
    {0},
};

static const double LEVELS[] = {0.25, 0.5, 0.75, 1};
#define SECONDS_OF_TARGET 60.0

/* ---- what was experimented with is told ---- */

static void print(const struct causal *causal, const struct doubts *doubts, bool json)
{
    if (json) {
        watched_print_json(causal_json(causal, doubts));
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    causal_write_text(causal, doubts, &terminal);
    terminal_release(&terminal);
}

static bool analyze(const char *path, bool json, struct error *error)
{
    struct trace_files files;
    struct timelines run;
    const char *folder = trace_files_folder(&files, path, error);
    bool loaded = folder && timelines_open(&run, folder, error);
    struct causal *causal = loaded ? causal_find(&run, error) : NULL;
    if (causal) {
        struct doubts doubts = {0};
        if (causal_check(causal))
            BUG(causal_check(causal));
        causal_judge(causal, &doubts);
        print(causal, &doubts, json);
        doubts_release(&doubts);
        causal_release(causal);
    }
    if (loaded) {
        for (uint32_t i = 0; i < run.damage_count; i++)
            talk("%s", run.damage[i]);
        timelines_release(&run);
    }
    trace_files_release(&files);
    return causal != NULL;
}

/* ---- experiments ---- */

struct experimenting {
    const struct causal_values *values;
    struct workdir workdir;
    struct function_table table;
    struct target_list targets;
    struct str trace, log;
};

static bool read_table(struct experimenting *e, struct error *error)
{
    static const char usual[] = "functions.json";
    const char *named = e->values->functions;
    char absolute[PATH_MAX];
    struct str path = {0}, text = {0};
    if (!given_file(named, "table", "functions", absolute, error))
        return false;
    bool there = named || file_exists(usual);
    bool ok = !there || function_table_read(&e->table, named ? named : usual, error);
    if (ok && there) /* the result keeps it */
        ok = workdir_round(&e->workdir, 1, usual, &path, error) &&
             file_read(&text, named ? named : usual, error) &&
             file_write(path.data, str_text(&text), text.length, error);
    str_release(&path);
    str_release(&text);
    return ok;
}

static bool find_targets(struct experimenting *e, struct error *error)
{
    const struct causal_values *values = e->values;
    for (const char *const *name = values->function_names; name && *name; name++)
        if (!target_list_add_function(&e->targets, &e->table, *name, error))
            return false;
    for (const char *const *name = values->locks; name && *name; name++)
        if (!target_list_add_lock(&e->targets, &e->table, *name, error))
            return false;
    for (const char *const *name = values->waits; name && *name; name++)
        if (!target_list_add_waits(&e->targets, *name, error))
            return false;
    if (values->progress &&
        !target_list_set_progress(&e->targets, &e->table, values->progress, error))
        return false;
    return e->targets.count ||
           error_set(error, ERROR_USAGE,
                     "What is to be faster? Name it: --function NAME, --lock NAME "
                     "or --waits disk|network|timer.");
}

static bool make(struct experimenting *e, struct error *error)
{
    const struct causal_values *values = e->values;
    char *here = getcwd(NULL, 0);
    struct target target = {.source = here,
                            .tree = here,
                            .command = values->command,
                            .recorded = true,
                            .wrapped = true,
                            .kernel = KERNEL_OFF};
    bool ok = (here || error_system(error, "Can't find the present folder")) &&
              (installation_wrapper() ||
               error_set(error, ERROR_SYSTEM,
                         "libvprof_wrap.so is not where it should be beside this program. Install "
                         "vprofiler again, or build it with `make`.")) &&
              workdir_round(&e->workdir, 1, "trace", &e->trace, error) &&
              workdir_round(&e->workdir, 1, "run.log", &e->log, error) &&
              file_make_directories(e->trace.data, error) && read_table(e, error) &&
              find_targets(e, error);
    struct experiment_wish wish = {.target = &target,
                                   .trace = e->trace.data,
                                   .log = e->log.data,
                                   .targets = &e->targets,
                                   .probe_count = e->table.probe_count,
                                   .levels = LEVELS,
                                   .level_count = sizeof LEVELS / sizeof LEVELS[0],
                                   .budget_s = values->budget_s > 0
                                                   ? values->budget_s
                                                   : SECONDS_OF_TARGET * (double)e->targets.count,
                                   .seed = values->seed};
    ok = ok && experiment_run(&wish, error);
    free(here);
    return ok;
}

static bool experiment(const struct causal_values *values, struct error *error)
{
    struct experimenting e = {.values = values};
    bool ok = workdir_create(&e.workdir, values->out, error) && make(&e, error);
    talk_pause();
    ok = ok && analyze(e.workdir.root.data, values->json, error) &&
         workdir_finish(&e.workdir, error);
    function_table_release(&e.table);
    target_list_release(&e.targets);
    workdir_release(&e.workdir);
    str_release(&e.trace);
    str_release(&e.log);
    return ok;
}

static int run(int argc, char **argv)
{
    struct causal_values values;
    struct error error;
    int code;
    if (!command_take(&command_causal, argc, argv, &values, &code))
        return code;
    if (values.command && values.result)
        return talk_usage("causal", "Only one of RESULT and -- COMMAND can be looked at.");
    bool ok = values.command
                  ? experiment(&values, &error)
                  : analyze(values.result ? values.result : "vprofiler-out", values.json, &error);
    if (!ok)
        talk_error(&error);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_causal = {
    .name = "causal",
    .run = run,
    .summary = "what it would bring if a function were faster: mean, variance, p99 of requests",
    .description =
        "Tells what the throughput, and mean, standard deviation and quantiles of the intervals "
        "would become if a function took 25, 50, 75 or 100 % less time, by experiments: while it "
        "runs, everything else is slowed down. COMMAND runs a program that `vprofiler rewrite` "
        "instrumented, and its load, in the present folder.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler causal --function parse -- ./bench.sh",
                  "a program that vprofiler rewrite --time parse --sync instrumented"},
                 {"vprofiler causal --function parse --function reply --budget 5m -- ./bench.sh",
                  "two of them, for five minutes"},
                 {"vprofiler causal vprofiler-out/latest", "what was found, again"}},
};
