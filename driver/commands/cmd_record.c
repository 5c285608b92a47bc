#include <limits.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/runs/run_set.h"
#include "driver/workbench/given.h"
#include "driver/workbench/kernel_recording.h"
#include "driver/workbench/recorded_run.h"
#include "driver/workbench/workdir.h"

struct record_values {
    const char *functions, *out, *kernel;
    unsigned k;
    double threshold;
    bool json, redact;
    char *const *command;
};

#define AT(member) offsetof(struct record_values, member)

static const struct option_spec options[] = {
    OPTION("functions", FILE, AT(functions), "FILE", NULL,
           "the functions.json of the program; otherwise that of the present folder. Without one, "
           "only the intervals are known"),
    OPTION("k", WHOLE, AT(k), "N", "3", "factors shown first", .most = 1000),
    OPTION("threshold", FRACTION, AT(threshold), "D", "0.05",
           "smallest fraction of the variance that matters"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where results go"),
    OPTION("kernel", CHOICE, AT(kernel), "WHEN", "auto",
           "whether the kernel's scheduler is recorded: who had the processor, who woke whom. auto "
           "records what it may, and pauses where that takes more than 2 % of all processors; on "
           "does not pause, and is an error where no switch may be recorded",
           .choices = kernel_modes),
    FLAG("json", AT(json), "print report.json on stdout"),
    FLAG("redact", AT(redact), "write the passwords of the command line as *** in the reports"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...", "what runs the program", .needed = true),
    {0},
};

/* A recording is laid out as a result of one round. */
struct recording {
    const struct record_values *values;
    const char *words; /* the command line, for the report */
    struct workdir workdir;
    struct run_set set;
    bool failed;       /* the program did */
    bool no_functions; /* nothing says what its probes are */
};

static bool write_functions(struct recording *recording, struct error *error)
{
    static const char usual[] = "functions.json";
    const char *named = recording->values->functions;
    struct function_table none = {0};
    struct str text = {0}, path = {0};
    char absolute[PATH_MAX];
    bool ok = given_file(named, "table", "functions", absolute, error) &&
              workdir_round(&recording->workdir, 1, usual, &path, error);
    if (ok && !named && !file_exists(usual)) {
        recording->no_functions = true;
        ok = function_table_write(&none, path.data, error);
    } else if (ok) {
        ok = file_read(&text, named ? named : usual, error) &&
             file_write(path.data, str_text(&text), text.length, error);
    }
    str_release(&text);
    str_release(&path);
    return ok;
}

static bool explain_nothing(const struct recording *recording, struct error *error)
{
    if (error->code != ERROR_NOTHING || trace_files_processes(&recording->set.files) > 0)
        return false;
    return error_set(error, ERROR_NOTHING,
                     "The program left no trace. Are SI_BEGIN and SI_END of vprof_api.h compiled "
                     "into it? Or is it linked statically, set-uid, or started in a cleaned "
                     "environment (env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.");
}

static bool analyze(struct recording *recording, struct error *error)
{
    const char *paths[] = {recording->workdir.root.data, NULL};
    const struct record_values *values = recording->values;
    struct run_set_options set_options = {
        .paths = paths, .k = values->k, .threshold = values->threshold, .words = recording->words};
    talk_phase("analyse");
    if (!run_set_open(&recording->set, &set_options, error))
        return explain_nothing(recording, error);
    if (!outcome_write(&recording->set.outcome, recording->workdir.root.data, error) ||
        !workdir_finish(&recording->workdir, error))
        return false;
    talk_pause();
    outcome_print(&recording->set.outcome, values->json);
    talk("wrote %s/latest/report.html, report.json, report.txt", values->out);
    if (recording->no_functions)
        talk("only the intervals are known, as there is no functions.json here; `vprofiler "
             "iterate` finds what is in them");
    return true;
}

static int run(int argc, char **argv)
{
    struct record_values values;
    int code;
    if (!command_take(&command_record, argc, argv, &values, &code))
        return code;
    struct error error;
    struct str words = {0};
    command_words(&words, argc, argv, values.redact);
    struct recording recording = {.values = &values, .words = words.data};
    bool ok = kernel_recording_require(kernel_mode_of(values.kernel), &error) &&
              workdir_create(&recording.workdir, values.out, &error) &&
              write_functions(&recording, &error) &&
              recorded_run(&recording.workdir, values.command,
                           (struct kernel_wish){.mode = kernel_mode_of(values.kernel)},
                           &recording.failed, &error) &&
              analyze(&recording, &error);
    if (!ok && !recording.failed)
        talk_error(&error);
    run_set_release(&recording.set);
    workdir_release(&recording.workdir);
    str_release(&words);
    if (recording.failed)
        return EXIT_TARGET;
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_record = {
    .name = "record",
    .run = run,
    .summary = "run a program that is instrumented or annotated already, and analyse it",
    .description =
        "Runs COMMAND in the present folder with the runtime loaded, and writes a result as "
        "`vprofiler analyze` does. The program is one that `vprofiler rewrite` instrumented (its "
        "functions.json is needed), or one that only has annotations: then the report has its "
        "latencies, types and values, and no functions. What it prints is in rounds/01/run.log of "
        "the result. Ctrl-C ends the program, and what it did until then is analysed.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler record -- ./server --test", "how the intervals of a program vary"},
                 {"vprofiler record --functions functions.json -- ./bench.sh",
                  "a program that vprofiler rewrite --table functions.json instrumented"},
                 {"vprofiler record --json --quiet -- ./server > report.json", "for a script"}},
};
