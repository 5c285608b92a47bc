#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/loop/iterate.h"
#include "driver/loop/loop_state.h"
#include "driver/workbench/kernel_recording.h"
#include "driver/workbench/workdir.h"

#define AT(member) offsetof(struct iterate_options, member)

static const struct option_spec options[] = {
    OPTION("build", FILE, AT(build), "SCRIPT", NULL, "how to build (and run) the program",
           .needed = true, .unless = "resume"),
    OPTION("run", FILE, AT(run), "SCRIPT", NULL, "how to run it"),
    OPTION("k", WHOLE, AT(k), "N", "3", "factors selected in a round", .most = 1000),
    OPTION("threshold", FRACTION, AT(threshold), "D", "0.05",
           "smallest fraction of the variance that matters"),
    FLAG("live", AT(live),
         "build once, with the probes of all but short functions in and off, and switch what a "
         "round times on while it runs"),
    FLAG("auto", AT(automatic), "do not ask which factors to open"),
    OPTION("max-rounds", WHOLE, AT(max_rounds), "N", NULL,
           "stop after N rounds; otherwise there is no limit", .most = 1000),
    OPTION("budget", DURATION, AT(budget_s), "TIME", NULL,
           "begin no further round that would not fit into TIME (90s, 10m, 2h), were it as long as "
           "the longest so far; with --live the build does not count"),
    FLAG("resume", AT(resume),
         "go on with the newest loop of --out, whether it was interrupted or is finished"),
    OPTION("source", FOLDER, AT(source), "DIR", ".", "the source tree; it is only read"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where results go"),
    OPTION("config", FILE, AT(config), "FILE", NULL,
           "intervals and synchronization; otherwise vprofiler.json of the source tree, if it is "
           "there"),
    OPTION("compile-commands", FILE, AT(commands), "FILE", NULL,
           "a compile_commands.json, with which --live builds once only, if all the files that are "
           "compiled are there; otherwise recorded from a first build of the tree as it is"),
    OPTION("jobs", PROCESSORS, AT(jobs), "N", NULL, "source files parsed at once", .most = 1024),
    OPTION("kernel", CHOICE, AT(kernel), "WHEN", "auto",
           "whether the kernel's scheduler is recorded: who had the processor, who woke whom. auto "
           "records what it may, and pauses where that takes more than 2 % of all processors; on "
           "does not pause, and is an error where no switch may be recorded",
           .choices = kernel_modes),
    FLAG("json", AT(json), "print report.json on stdout"),
    FLAG("redact", AT(redact), "write the passwords of the command line as *** in the reports"),
    FLAG("keep", AT(keep), "keep the copy of the tree and every trace"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...",
             "what runs the program, in place of --run SCRIPT"),
    {0},
};

/* Names an option that a resumed loop can't be given anew; NULL where none of them was given. */
static const char *find_fixed(const struct iterate_options *values)
{
    if (values->command)
        return "the command after --";
    return values->build                      ? "--build"
           : values->run                      ? "--run"
           : values->config                   ? "--config"
           : values->commands                 ? "--compile-commands"
           : strcmp(values->source, ".") != 0 ? "--source"
                                              : NULL;
}

static int fail(const struct error *error)
{
    talk_error(error);
    return exit_code_of(error);
}

/* Takes the options that the loop of `root` began with, and then those of the present command
 * line. */
static bool take_both(const char *root, int argc, char **argv, struct iterate_options *values,
                      int *code)
{
    struct loop_state state = {0};
    struct error error;
    int count;
    if (!loop_state_read(&state, root, &error)) {
        *code = fail(&error);
        return false;
    }
    char **words = loop_state_words(&state, argc, argv, &count);
    loop_state_release(&state);
    return command_take(&command_iterate, count, words, values, code);
}

static bool take_resumed(int argc, char **argv, struct iterate_options *values, int *code)
{
    const char *fixed = find_fixed(values);
    struct str root = {0};
    bool ok = false;
    if (fixed)
        *code = talk_usage("iterate",
                           "--resume goes on as the loop began: %s can't be changed. Take it away, "
                           "or begin a new loop without --resume.",
                           fixed);
    else if (!workdir_find(values->out, LOOP_STATE_FILE, &root))
        *code = talk_usage("iterate",
                           "there is no loop in %s to go on with. Name its folder with --out DIR, "
                           "or begin one with --build SCRIPT.",
                           values->out);
    else
        ok = take_both(root.data, argc, argv, values, code);
    str_release(&root);
    return ok;
}

static int run(int argc, char **argv)
{
    struct iterate_options values;
    int code;
    if (!command_take(&command_iterate, argc, argv, &values, &code) ||
        (values.resume && !take_resumed(argc, argv, &values, &code)))
        return code;
    if (values.command && values.run)
        return talk_usage("iterate",
                          "--run and a command after -- both run the program: take one away.");
    if (values.live && !values.run && !values.command)
        return talk_usage("iterate",
                          "--live needs to know what runs the program: put --run SCRIPT, "
                          "or the command after --.");
    struct str words = {0};
    command_words(&words, argc, argv, values.redact);
    values.words = words.data;
    values.automatic = values.automatic || !isatty(0);
    struct error error;
    bool ok = iterate(&values, &error);
    str_release(&words);
    return ok ? EXIT_DONE : fail(&error);
}

const struct command command_iterate = {
    .name = "iterate",
    .run = run,
    .summary = "find out why the latency of a program varies",
    .description =
        "Rewrites a few functions of the program in a copy of its source, builds it with SCRIPT, "
        "runs it, takes the variance of its intervals apart, and goes one level deeper where the "
        "variance is.\n"
        "\n"
        "SCRIPT runs in the copy; it builds and runs the program, or only builds it where --run or "
        "a COMMAND is given. Your source tree is only read.\n"
        "\n"
        "A report is there after the first round, in its folder below rounds/. A loop that was "
        "interrupted, or ended by --max-rounds, --budget or your answers, goes on with --resume "
        "where its last complete round left it: with the options that it began with, except for "
        "those given anew. Its copy of the tree stays for that until the next loop begins, or "
        "`vprofiler clean`; no complete round is measured again.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler iterate --k 3 --build build.sh",
                  "build.sh builds and runs; asks which of 3 factors to open"},
                 {"vprofiler iterate --build build.sh --config requests.json --auto --budget 10m "
                  "-- ./server --test",
                  "declared intervals, a command to run, no questions, at most ten minutes"},
                 {"vprofiler iterate --resume --max-rounds 8",
                  "go on with the last loop, up to its eighth round"}},
};
