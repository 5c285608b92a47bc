#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/commands/mended_report.h"
#include "driver/commands/watched_program.h"
#include "driver/experiments/candidate_list.h"
#include "driver/experiments/experiment_run.h"
#include "driver/experiments/code_place.h"
#include "driver/loop/carrier.h"
#include "driver/runs/causal_files.h"
#include "driver/runs/outcome.h"
#include "driver/workbench/given.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/workdir.h"
#include "report/causal/causal_report.h"
#include "trace/timeline_load.h"

struct causal_values {
    const char *result, *out, *functions, *progress;
    const char *build, *run, *source, *config, *commands, *from;
    const char *const *function_names, *const *lines, *const *locks, *const *waits;
    double budget_s, width;
    unsigned seed, jobs;
    bool end_to_end, json, keep;
    char *const *command;
};

#define AT(member) offsetof(struct causal_values, member)

static const struct option_spec options[] = {
    OPTION("function", TEXT, AT(function_names), "NAME", NULL,
           "a function that is to seem faster, and may be given several times", .repeatable = true),
    OPTION("line", TEXT, AT(lines), "FILE:N", NULL,
           "a line of source, or several (FILE:N-M), of a program with debug information",
           .repeatable = true),
    OPTION("lock", TEXT, AT(locks), "NAME", NULL,
           "all that is done while that lock is held, by the name that its locking calls give it",
           .repeatable = true),
    OPTION("waits", TEXT, AT(waits), "disk|network|timer", NULL,
           "the waits that a disk, the world outside or a time ends", .repeatable = true),
    OPTION("from", FOLDER, AT(from), "RESULT", NULL,
           "the factors that `vprofiler iterate` found there are to seem faster"),
    OPTION("build", FILE, AT(build), "SCRIPT", NULL,
           "how to build the program, in a copy of its source, with probes in its functions; "
           "otherwise it is run as it is"),
    OPTION("run", FILE, AT(run), "SCRIPT", NULL, "how to run it and its load, in place of COMMAND"),
    OPTION("progress", TEXT, AT(progress), "FUNCTION", NULL,
           "each call of it is a unit of work, also in a program without probes; otherwise "
           "VPROF_PROGRESS or an interval's end is"),
    FLAG("end-to-end", AT(end_to_end),
         "each run of the program is a unit of work: it is run again and again, until the answer "
         "is known"),
    OPTION("functions", FILE, AT(functions), "FILE", NULL,
           "the functions.json of the program; otherwise that of the present folder, or of the "
           "copy"),
    OPTION("budget", DURATION, AT(budget_s), "TIME", NULL,
           "how long all experiments may take; otherwise a minute for each target"),
    OPTION("width", FRACTION, AT(width), "W", NULL,
           "how sure the answer is to be, in place of --budget: 0.1 for an interval of +-10 % of "
           "p99, or of the mean where requests are few"),
    OPTION("seed", WHOLE, AT(seed), "N", "1", "another order of the experiments", .most = INT_MAX),
    OPTION("source", FOLDER, AT(source), "DIR", ".", "of --build: the source tree; only read"),
    OPTION("config", FILE, AT(config), "FILE", NULL,
           "of --build: intervals and synchronization; otherwise vprofiler.json of the source"),
    OPTION("compile-commands", FILE, AT(commands), "FILE", NULL,
           "of --build: a compile_commands.json, with which it is built once only"),
    OPTION("jobs", PROCESSORS, AT(jobs), "N", NULL, "of --build: source files parsed at once",
           .most = 1024),
    FLAG("keep", AT(keep), "of --build: keep the copy of the tree"),
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

static void write_page(const struct watched_traces *at, const struct causal *causal,
                       const struct doubts *doubts)
{
    struct error error;
    struct function_table table;
    bool known = at->functions && function_table_read(&table, at->functions, &error);
    struct causal_page page = {.causal = causal, .doubts = doubts, .origin = at->origin};
    bool ok = causal_files_write(page, known ? &table : NULL, at->result, &error);
    watched_tell_page(at, CAUSAL_FILES, ok ? NULL : &error);
    if (known)
        function_table_release(&table);
}

static void tell(const struct watched_traces *at, const struct causal *causal, bool json)
{
    struct doubts doubts = {0};
    if (causal_check(causal))
        BUG(causal_check(causal));
    causal_judge(causal, &doubts);
    print(causal, &doubts, json);
    if (at->page)
        write_page(at, causal, &doubts);
    doubts_release(&doubts);
}

static bool analyze(const struct watched_traces *at, const void *context, struct error *error)
{
    const struct causal_values *values = context;
    struct timelines run;
    if (!timelines_open(&run, at->folder, error))
        return false;
    struct causal *causal = causal_find(&run, error);
    if (causal) {
        tell(at, causal, values->json);
        causal_release(causal);
    }
    for (uint32_t i = 0; i < run.damage_count; i++)
        talk("%s", run.damage[i]);
    timelines_release(&run);
    return causal != NULL;
}

/* `made`: the experiments were made just now. */
static bool look(const char *path, const struct causal_values *values, const char *words, bool made,
                 struct error *error)
{
    struct watched_values watched = {.out = values->out, .json = values->json};
    struct watched_program program = {.values = &watched, .analyze = analyze, .context = values};
    return watched_analyze(path, &program, words, made, error);
}

/* ---- experiments ---- */

struct experimenting {
    const struct causal_values *values;
    struct candidate_list candidates;
    struct carrier *carrier; /* NULL: the program is run as it is */
    struct workdir workdir;  /* then */
    struct function_table table;
    struct target_list targets;
};

static const struct workdir *workdir_of(const struct experimenting *e)
{
    return e->carrier ? carrier_workdir(e->carrier) : &e->workdir;
}

static const struct function_table *table_of(const struct experimenting *e)
{
    return e->carrier ? carrier_table(e->carrier) : &e->table;
}

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

/* Of a program whose functions are not known, the object files tell where they are. */
static bool add_function(struct experimenting *e, const char *name, struct error *error)
{
    const struct function_table *table = table_of(e);
    if (table->function_count)
        return target_list_add_function(&e->targets, table, name, error);
    target_list_add_symbol(&e->targets, name);
    return true;
}

static bool find_targets(struct experimenting *e, struct error *error)
{
    const struct causal_values *values = e->values;
    const struct function_table *table = table_of(e);
    for (const char *const *name = values->function_names; name && *name; name++)
        if (!add_function(e, *name, error))
            return false;
    for (const char *const *place = values->lines; place && *place; place++)
        if (!target_list_add_line(&e->targets, *place, error))
            return false;
    for (const char *const *name = values->locks; name && *name; name++)
        if (!target_list_add_lock(&e->targets, table, *name, error))
            return false;
    for (const char *const *name = values->waits; name && *name; name++)
        if (!target_list_add_waits(&e->targets, *name, error))
            return false;
    return !values->from || candidate_list_take(&e->candidates, table, &e->targets, error);
}

/* Of a program whose functions are not known, the processor tells of calls. */
static bool find_progress(struct experimenting *e, const struct target *target, struct error *error)
{
    const struct function_table *table = table_of(e);
    const char *name = e->values->progress;
    if (!name || table->function_count)
        return !name || target_list_set_progress(&e->targets, table, name, error);
    e->targets.place = code_place_of_progress(target, name, error);
    return e->targets.place != NULL;
}

/* What is asked about by name has to carry probes; NULL at the end. */
static const char **asked_names(const struct experimenting *e)
{
    size_t count = 0;
    while (e->values->function_names && e->values->function_names[count])
        count++;
    const char **names =
        memory_zeroed(sizeof *names * (count + sizeof e->candidates.names / sizeof *names + 2));
    memcpy(names, e->values->function_names, sizeof *names * count);
    for (const char *const *name = e->candidates.names; *name; name++)
        names[count++] = *name;
    names[count] = e->values->progress;
    return names;
}

/* A build may take long: what is misspelt is told before it. */
static bool check_names(const struct experimenting *e, struct error *error)
{
    const struct causal_values *values = e->values;
    const struct function_table *table = carrier_table(e->carrier);
    for (const char *const *name = values->function_names; name && *name; name++)
        if (!target_list_knows(table, *name, error))
            return false;
    return !values->progress || target_list_knows(table, values->progress, error);
}

static bool build(struct experimenting *e, const char *words, struct error *error)
{
    const struct causal_values *values = e->values;
    struct iterate_options how = {.jobs = values->jobs,
                                  .build = values->build,
                                  .run = values->run,
                                  .command = values->command,
                                  .source = values->source,
                                  .out = values->out,
                                  .config = values->config,
                                  .commands = values->commands,
                                  .words = words,
                                  .keep = values->keep};
    const char **names = asked_names(e);
    e->carrier = carrier_open(&how, error);
    bool ok = e->carrier && check_names(e, error) && carrier_build(e->carrier, names, error);
    memory_free(names);
    return ok;
}

static bool prepare(struct experimenting *e, const char *words, struct error *error)
{
    const struct causal_values *values = e->values;
    if (!installation_wrapper())
        return error_set(error, ERROR_SYSTEM,
                         "libvprof_wrap.so is not where it should be beside this program. Install "
                         "vprofiler again, or build it with `make`.");
    if (values->from && !candidate_list_read(&e->candidates, values->from, error))
        return false;
    return values->build ? build(e, words, error)
                         : workdir_create(&e->workdir, values->out, error) && read_table(e, error);
}

static bool perform(struct experimenting *e, const struct target *target, struct error *error)
{
    const struct causal_values *values = e->values;
    struct str trace = {0}, log = {0};
    bool ok = workdir_round(workdir_of(e), 1, "trace", &trace, error) &&
              workdir_round(workdir_of(e), 1, "run.log", &log, error) &&
              file_make_directories(trace.data, error) && find_targets(e, error) &&
              find_progress(e, target, error);
    struct experiment_wish wish = {.target = target,
                                   .trace = trace.data,
                                   .log = log.data,
                                   .targets = &e->targets,
                                   .table = table_of(e),
                                   .probe_count = table_of(e)->probe_count,
                                   .levels = LEVELS,
                                   .level_count = sizeof LEVELS / sizeof LEVELS[0],
                                   .end_to_end = values->end_to_end,
                                   .budget_s = values->budget_s > 0 || values->end_to_end
                                                   ? values->budget_s
                                                   : SECONDS_OF_TARGET * (double)e->targets.count,
                                   .width = values->width,
                                   .seed = values->seed};
    ok = ok && experiment_run(&wish, error);
    str_release(&trace);
    str_release(&log);
    return ok;
}

static bool make(struct experimenting *e, struct error *error)
{
    if (e->carrier)
        return perform(e, carrier_target(e->carrier), error);
    char *here = getcwd(NULL, 0);
    struct target target = {.source = here,
                            .tree = here,
                            .command = e->values->command,
                            .recorded = true,
                            .wrapped = true,
                            .kernel = KERNEL_OFF};
    bool ok = (here || error_system(error, "Can't find the present folder")) &&
              perform(e, &target, error);
    free(here);
    return ok;
}

static bool experiment(const struct causal_values *values, const char *words, struct error *error)
{
    struct experimenting e = {.values = values};
    bool ok = prepare(&e, words, error) && make(&e, error);
    talk_pause();
    ok = ok && look(workdir_of(&e)->root.data, values, words, true, error) &&
         workdir_finish(workdir_of(&e), error);
    if (ok && values->from)
        mended_report_write(&e.candidates, workdir_of(&e)->root.data);
    carrier_release(e.carrier);
    candidate_list_release(&e.candidates);
    function_table_release(&e.table);
    target_list_release(&e.targets);
    workdir_release(&e.workdir);
    return ok;
}

/* NULL: the options go together. */
static const char *find_wrong(const struct causal_values *values)
{
    bool runs = values->command || values->run;
    bool asks =
        values->function_names || values->lines || values->locks || values->waits || values->from;
    if (values->result && (runs || values->build))
        return "Only one of RESULT and a program can be looked at.";
    if (values->end_to_end && values->progress)
        return "--progress says what a unit of work is, --end-to-end that it is a run: take one "
               "away.";
    if (values->budget_s > 0 && values->width > 0 && !values->end_to_end)
        return "--budget says how long, --width how sure, from which follows how long: take one "
               "away.";
    if (values->command && values->run)
        return "--run and a command after -- both run the program: take one away.";
    if (values->build && !runs)
        return "--build needs to know what runs the program: put --run SCRIPT, or the command "
               "after --.";
    if (!values->build && values->run)
        return "--run SCRIPT is for --build SCRIPT. Without that, put what runs the program after "
               "--.";
    if (!runs && asks)
        return "What runs the program? Put the command after --, or --build SCRIPT --run SCRIPT.";
    if (runs && !asks)
        return "What is to be faster? Name it: --function NAME, --line FILE:N, --lock NAME, "
               "--waits "
               "disk|network|timer or --from RESULT.";
    return NULL;
}

static int run(int argc, char **argv)
{
    struct causal_values values;
    struct error error;
    int code;
    if (!command_take(&command_causal, argc, argv, &values, &code))
        return code;
    const char *wrong = find_wrong(&values);
    if (wrong)
        return talk_usage("causal", "%s", wrong);
    struct str words = {0};
    command_words(&words, argc, argv, false);
    bool ok = values.command || values.run
                  ? experiment(&values, words.data, &error)
                  : look(values.result, &values, words.data, false, &error);
    str_release(&words);
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
        "runs, everything else is slowed down. With --build the program is built in a copy of its "
        "source, with probes; otherwise COMMAND runs a program that `vprofiler rewrite` "
        "instrumented, and its load, in the present folder. Beside the result lie the page "
        "causal.html, with curves, and profile.coz, which Coz's own viewer opens.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler causal --build build.sh --run bench.sh --function parse",
                  "builds a copy of the source with probes, and experiments with parse"},
                 {"vprofiler causal --build build.sh --run bench.sh --from vprofiler-out",
                  "what the factors that vprofiler iterate found would bring"},
                 {"vprofiler causal --line parse.c:120 --progress serve -- ./server",
                  "a line of a program as it is, whose calls of serve are what it does"}},
};
