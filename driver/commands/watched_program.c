#include "driver/commands/watched_program.h"

#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/runs/trace_files.h"
#include "driver/workbench/attached_run.h"
#include "driver/workbench/recorded_run.h"
#include "driver/workbench/workdir.h"
#include "report/kit/json_parts.h"

const char *const watched_kernel_modes[] = {"auto", "on", NULL};

static struct kernel_wish wish_of(const struct watched_program *program)
{
    struct kernel_wish wish = program->wish;
    wish.mode = kernel_mode_of(program->values->kernel);
    return wish;
}

static bool records(const struct watched_values *values)
{
    return values->command || values->pid;
}

static bool watch_process(const struct workdir *workdir, const struct watched_program *program,
                          struct error *error)
{
    const struct watched_values *values = program->values;
    struct str trace = {0};
    bool ok =
        workdir_round(workdir, 1, "trace", &trace, error) &&
        file_make_directories(trace.data, error) &&
        attached_run((pid_t)values->pid, values->seconds, wish_of(program), trace.data, error);
    str_release(&trace);
    return ok;
}

static const char *date_now(char date[32])
{
    time_t now = time(NULL);
    strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return date;
}

bool watched_analyze(const char *path, const struct watched_program *program, const char *words,
                     bool recorded, struct error *error)
{
    struct trace_files files;
    const char *folder = trace_files_folder(&files, path ? path : "vprofiler-out", error);
    const struct trace_source *source = files.sources;
    struct watched_traces at = {
        .folder = folder, .origin = {.command = words}, .page = !program->values->json || recorded};
    struct str latest = {0};
    char date[32], host[HOST_NAME_MAX + 1] = "";
    if (folder) {
        at.result = source->result ? source->result : source->path;
        at.functions = source->functions;
    }
    at.result_name = at.result;
    if (recorded) {
        str_printf(&latest, "%s/latest", program->values->out);
        at.result_name = latest.data;
        at.origin.date = date_now(date);
        at.origin.host = gethostname(host, sizeof host - 1) == 0 ? host : NULL;
    }
    bool ok = folder && program->analyze(&at, program->context, error);
    str_release(&latest);
    trace_files_release(&files);
    return ok;
}

/* *failed: the program did. */
static bool record(const struct watched_program *program, const char *words, bool *failed,
                   struct error *error)
{
    const struct watched_values *values = program->values;
    struct workdir workdir = {0};
    bool ok =
        (!values->pid || attached_run_find((pid_t)values->pid, error)) &&
        kernel_recording_require(wish_of(program).mode, error) &&
        workdir_create(&workdir, values->out, error) &&
        (values->pid ? watch_process(&workdir, program, error)
                     : recorded_run(&workdir, values->command, wish_of(program), failed, error));
    talk_pause();
    ok = ok && watched_analyze(workdir.root.data, program, words, true, error) &&
         workdir_finish(&workdir, error);
    workdir_release(&workdir);
    return ok;
}

void watched_print_json(json_t *result)
{
    struct str text = {0};
    json_write(result, JSON_INDENT(1), &text);
    fwrite(str_text(&text), 1, text.length, stdout);
    str_release(&text);
}

void watched_tell_page(const struct watched_traces *at, const char *files,
                       const struct error *error)
{
    if (error)
        talk("no page: %s", error->message);
    else
        talk("wrote %s/%s", at->result_name, files);
}

static bool check(const struct watched_values *values, struct error *error)
{
    int named = (values->command != NULL) + (values->result != NULL) + (values->pid != 0);
    return named <= 1 || error_set(error, ERROR_USAGE,
                                   "Only one of RESULT, --pid and -- COMMAND can be looked at.");
}

int watched_program_run(const struct watched_program *program, const char *words)
{
    const struct watched_values *values = program->values;
    struct error error;
    bool failed = false;
    bool ok = check(values, &error) &&
              (records(values) ? record(program, words, &failed, &error)
                               : watched_analyze(values->result, program, words, false, &error));
    bool said = !ok && failed && error.code == ERROR_NOTHING; /* what cannot begin does nothing */
    if (!ok && !said)
        talk_error(&error);
    return failed ? EXIT_TARGET : ok ? EXIT_DONE : exit_code_of(&error);
}
