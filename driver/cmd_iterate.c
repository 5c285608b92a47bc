#include <unistd.h>

#include "base/str.h"
#include "driver/command.h"
#include "driver/iterate.h"
#include "driver/talk.h"

#define AT(member) offsetof(struct iterate_options, member)

static const struct option_spec options[] = {
    OPTION("build", FILE, AT(build), "SCRIPT", NULL, "how to build (and run) the program",
           .needed = true),
    OPTION("run", FILE, AT(run), "SCRIPT", NULL, "how to run it"),
    OPTION("k", WHOLE, AT(k), "N", "3", "factors selected in a round", .most = 1000),
    OPTION("threshold", FRACTION, AT(threshold), "D", "0.05",
           "smallest fraction of the variance that matters"),
    FLAG("live", AT(live),
         "build once, with every probe in and off, and switch what a round times on while it runs"),
    FLAG("auto", AT(automatic), "do not ask which factors to open"),
    OPTION("max-rounds", WHOLE, AT(max_rounds), "N", NULL,
           "stop after N rounds; otherwise there is no limit", .most = 1000),
    OPTION("source", FOLDER, AT(source), "DIR", ".", "the source tree; it is only read"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where results go"),
    OPTION("config", FILE, AT(config), "FILE", NULL,
           "intervals and synchronization; otherwise vprofiler.json of the source tree, if it is "
           "there"),
    OPTION("compile-commands", FILE, AT(commands), "FILE", NULL,
           "a compile_commands.json; otherwise recorded from the first build"),
    OPTION("jobs", PROCESSORS, AT(jobs), "N", NULL, "source files parsed at once", .most = 1024),
    FLAG("json", AT(json), "print report.json on stdout"),
    FLAG("keep", AT(keep), "keep the copy of the tree and every trace"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...",
             "what runs the program, in place of --run SCRIPT"),
    {0},
};

/* The command line again, for the report. */
static void join_words(struct str *words, int argc, char **argv)
{
    str_append(words, "vprofiler");
    for (int i = 0; i < argc; i++)
        str_printf(words, " %s", argv[i]);
}

static int run(int argc, char **argv)
{
    struct iterate_options values;
    int code;
    if (!command_take(&command_iterate, argc, argv, &values, &code))
        return code;
    if (values.command && values.run)
        return talk_usage("iterate",
                          "--run and a command after -- both run the program: take one away.");
    if (values.live && !values.run && !values.command)
        return talk_usage("iterate", "--live needs to know what runs the program: put --run SCRIPT, "
                                     "or the command after --.");
    struct str words = {0};
    join_words(&words, argc, argv);
    values.words = words.data;
    values.automatic = values.automatic || !isatty(0);
    struct error error;
    bool ok = iterate(&values, &error);
    if (!ok)
        talk_error(&error);
    str_release(&words);
    return ok ? EXIT_DONE : exit_code_of(&error);
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
        "a COMMAND is given. Your source tree is only read.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler iterate --k 3 --build build.sh",
                  "build.sh builds and runs; asks which of 3 factors to open"},
                 {"vprofiler iterate --build build.sh --run bench.sh --auto",
                  "build once a round, then run bench.sh; ask nothing"},
                 {"vprofiler iterate --build build.sh --config requests.json --auto -- ./server "
                  "--test",
                  "intervals that are declared, and a command to run"}},
};
