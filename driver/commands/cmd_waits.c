#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/runs/kernel_note.h"
#include "driver/runs/outcome.h"
#include "driver/runs/trace_files.h"
#include "driver/runs/waits_files.h"
#include "driver/workbench/attached_run.h"
#include "driver/workbench/kernel_recording.h"
#include "driver/workbench/recorded_run.h"
#include "driver/workbench/workdir.h"
#include "report/kit/json_parts.h"
#include "report/waits/waits_report.h"
#include "trace/timeline_load.h"

struct waits_values {
    const char *run, *out, *kernel, *type;
    unsigned pid;
    double seconds;
    bool json, no_stacks, slow;
    char *const *command;
    const char *words; /* the command line */
};

#define AT(member) offsetof(struct waits_values, member)

static const char *const modes[] = {"auto", "on", NULL};
static const struct option_spec options[] = {
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where the result of COMMAND goes"),
    OPTION("pid", WHOLE, AT(pid), "N", NULL,
           "a process that runs already, with its threads and children; nothing of it is touched",
           .most = INT_MAX),
    OPTION("for", DURATION, AT(seconds), "TIME", "10s", "how long --pid is watched"),
    OPTION("kernel", CHOICE, AT(kernel), "WHEN", "auto",
           "auto pauses where recording takes more than 2 % of all processors; on does not",
           .choices = modes),
    FLAG("no-stacks", AT(no_stacks), "record no stacks of waits: who waits is told, not where"),
    OPTION("type", TEXT, AT(type), "NAME", NULL,
           "of the run's intervals, those of this type are the requests"),
    FLAG("slow", AT(slow), "what the slowest 1 % of the requests are slower by stands first"),
    FLAG("json", AT(json), "print vprofiler.waits/1 on stdout"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, AT(run), "RESULT",
             "a result or a folder of traces that holds the kernel's side; otherwise "
             "vprofiler-out, its latest"),
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...",
             "what runs the program; it is recorded first"),
    {0},
};

static struct kernel_wish wish_of(const struct waits_values *values)
{
    return (struct kernel_wish){.mode = kernel_mode_of(values->kernel),
                                .stacks = {.on = !values->no_stacks}};
}

static bool watch_process(const struct workdir *workdir, const struct waits_values *values,
                          struct error *error)
{
    struct str trace = {0};
    bool ok = workdir_round(workdir, 1, "trace", &trace, error) &&
              file_make_directories(trace.data, error) &&
              attached_run((pid_t)values->pid, values->seconds, wish_of(values), trace.data, error);
    str_release(&trace);
    return ok;
}

static void print(const struct waits *waits, const struct doubts *doubts, bool json)
{
    struct str text = {0};
    if (json) {
        json_write(waits_json(waits, doubts), JSON_INDENT(1), &text);
        fwrite(str_text(&text), 1, text.length, stdout);
        str_release(&text);
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    waits_write_text(waits, doubts, &terminal);
    terminal_release(&terminal);
}

/* Where no switch was recorded, the kernel's sums may be. */
static void tell_totals(const struct timelines *run, struct error *error)
{
    double waited = kernel_note_waited(run);
    if (waited >= 0)
        error_set(
            error, ERROR_NOTHING,
            "Who waited for whom was not recorded, only that threads waited for a processor %s of "
            "the time in which they had or wanted one. `vprofiler doctor` says what it takes to "
            "record more.",
            number_percent(waited).text);
}

/* What is looked at: its traces, and what its page says of it. */
struct looked_at {
    const char *folder;
    const char *result;      /* its page lies there */
    const char *result_name; /* as it is told */
    const char *command;
    const char *date; /* when it ran; NULL: not known */
};

/* A result of another user's may be looked at, and gets no page then. */
static void write_page(const struct looked_at *at, const struct waits *waits,
                       const struct doubts *doubts)
{
    struct error error;
    char host[HOST_NAME_MAX + 1] = "";
    struct waits_page page = {
        .waits = waits, .doubts = doubts, .command = at->command, .date = at->date};
    if (at->date && gethostname(host, sizeof host - 1) == 0)
        page.host = host;
    if (waits_files_write(page, at->result, &error))
        talk("wrote %s/waits.html, waits.json", at->result_name);
    else
        talk("no page: %s", error.message);
}

static bool analyze(const struct looked_at *at, const struct waits_values *values,
                    struct error *error)
{
    struct timelines run;
    if (!timelines_open(&run, at->folder, error))
        return false;
    struct waits *waits = waits_find(&run, error);
    bool ok = waits && waits_by_request(waits, &run, values->type, error);
    if (ok && waits_check(waits))
        BUG(waits_check(waits));
    struct doubts doubts = {0};
    kernel_note_doubt(&doubts, &run);
    if (waits && !waits->wakers_known)
        kernel_note_wakers(&doubts);
    if (!waits)
        tell_totals(&run, error);
    if (ok) {
        waits->requests.slow_first = values->slow;
        waits_judge(waits, &doubts);
        print(waits, &doubts, values->json);
        if (!values->json || values->command || values->pid)
            write_page(at, waits, &doubts);
    }
    doubts_release(&doubts);
    for (uint32_t i = 0; i < run.damage_count; i++)
        talk("%s", run.damage[i]);
    if (waits)
        waits_release(waits);
    timelines_release(&run);
    return ok;
}

static const char *date_now(char date[32])
{
    time_t now = time(NULL);
    strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return date;
}

static bool analyze_path(const char *path, const struct waits_values *values, struct error *error)
{
    struct trace_files files;
    const char *folder = trace_files_folder(&files, path ? path : "vprofiler-out", error);
    const struct trace_source *source = files.sources;
    struct looked_at at = {.folder = folder, .command = values->words};
    struct str latest = {0};
    char date[32];
    if (folder)
        at.result = source->result ? source->result : source->path;
    at.result_name = at.result;
    if (values->command || values->pid) {
        str_printf(&latest, "%s/latest", values->out);
        at.result_name = latest.data;
        at.date = date_now(date);
    }
    bool ok = folder && analyze(&at, values, error);
    str_release(&latest);
    trace_files_release(&files);
    return ok;
}

/* *failed: the program did. */
static bool record(const struct waits_values *values, bool *failed, struct error *error)
{
    struct workdir workdir = {0};
    bool ok =
        (!values->pid || attached_run_find((pid_t)values->pid, error)) &&
        kernel_recording_require(wish_of(values).mode, error) &&
        workdir_create(&workdir, values->out, error) &&
        (values->pid ? watch_process(&workdir, values, error)
                     : recorded_run(&workdir, values->command, wish_of(values), failed, error));
    talk_pause();
    ok = ok && analyze_path(workdir.root.data, values, error) && workdir_finish(&workdir, error);
    workdir_release(&workdir);
    return ok;
}

static bool check(const struct waits_values *values, struct error *error)
{
    int named = (values->command != NULL) + (values->run != NULL) + (values->pid != 0);
    return named <= 1 || error_set(error, ERROR_USAGE,
                                   "Only one of RESULT, --pid and -- COMMAND can be looked at.");
}

static int run(int argc, char **argv)
{
    struct waits_values values;
    struct error error;
    struct str words = {0};
    bool failed = false;
    int code;
    if (!command_take(&command_waits, argc, argv, &values, &code))
        return code;
    command_words(&words, argc, argv, false);
    values.words = words.data;
    bool ok = check(&values, &error) &&
              (values.command || values.pid ? record(&values, &failed, &error)
                                            : analyze_path(values.run, &values, &error));
    if (!ok)
        talk_error(&error);
    str_release(&words);
    return failed ? EXIT_TARGET : ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_waits = {
    .name = "waits",
    .run = run,
    .summary = "which waiting caps the throughput: who waits for whom",
    .description =
        "Finds who waits for whom, how long, and the knots: circles of waiting that nothing "
        "outside resolves. COMMAND is run in the present folder, as it is; or a RESULT whose run "
        "had the "
        "kernel's side recorded is looked at. Needs no rebuild. Beside the result lies "
        "the page waits.html: the graph, tables, and timelines of who waits for whom.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler waits -- ./server --test", "of a program as it is"},
                 {"vprofiler waits --pid 4711 --for 30s",
                  "of a server that runs, without a restart"},
                 {"vprofiler waits vprofiler-out/latest", "of a run that iterate recorded"}},
};
