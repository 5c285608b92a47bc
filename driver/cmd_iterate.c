#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "driver/command.h"
#include "driver/iterate.h"
#include "driver/talk.h"

static const char help[] =
    "usage: vprofiler iterate --build SCRIPT [options] [-- COMMAND ARGS...]\n"
    "\n"
    "Rewrites a few functions of the program in a copy of its source, builds it with SCRIPT, runs "
    "it,\n"
    "takes the variance of its intervals apart, and goes one level deeper where the variance is.\n"
    "SCRIPT runs in the copy; it builds and runs the program, or only builds it where --run or a\n"
    "COMMAND is given. Your source tree is only read.\n"
    "\n"
    "  --build SCRIPT           how to build (and run) the program\n"
    "  --run SCRIPT             how to run it\n"
    "  --k N                    factors selected in a round (3)\n"
    "  --threshold D            smallest fraction of the variance that matters (0.05)\n"
    "  --auto                   do not ask which factors to open\n"
    "  --max-rounds N           stop after N rounds (no limit)\n"
    "  --source DIR             the source tree (.)\n"
    "  --out DIR                where results go (vprofiler-out)\n"
    "  --config FILE            intervals and synchronization (DIR/vprofiler.json if it is there)\n"
    "  --compile-commands FILE  a compile_commands.json; otherwise recorded from the first build\n"
    "  --jobs N                 source files parsed at once (number of processors)\n"
    "  --json                   print report.json on stdout\n"
    "  --keep                   keep the copy of the tree and every trace\n"
    "  --quiet                  say nothing but the result\n"
    "\n"
    "examples:\n"
    "  vprofiler iterate --k 3 --build build.sh\n"
    "  vprofiler iterate --build build.sh --run bench.sh --auto\n"
    "  vprofiler iterate --build build.sh --config requests.json --auto -- ./server --test\n"
    "\n"
    "exit status: 0 done, 1 the program or its build failed, 2 wrong use, 3 nothing to analyse\n";

enum iterate_option {
    OPTION_BUILD = 256,
    OPTION_RUN,
    OPTION_K,
    OPTION_THRESHOLD,
    OPTION_AUTO,
    OPTION_MAX_ROUNDS,
    OPTION_SOURCE,
    OPTION_OUT,
    OPTION_CONFIG,
    OPTION_COMMANDS,
    OPTION_JOBS,
    OPTION_JSON,
    OPTION_KEEP,
    OPTION_QUIET,
    OPTION_HELP
};

static const struct option table[] = {
    {"build", required_argument, NULL, OPTION_BUILD},
    {"run", required_argument, NULL, OPTION_RUN},
    {"k", required_argument, NULL, OPTION_K},
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"auto", no_argument, NULL, OPTION_AUTO},
    {"max-rounds", required_argument, NULL, OPTION_MAX_ROUNDS},
    {"source", required_argument, NULL, OPTION_SOURCE},
    {"out", required_argument, NULL, OPTION_OUT},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"compile-commands", required_argument, NULL, OPTION_COMMANDS},
    {"jobs", required_argument, NULL, OPTION_JOBS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"keep", no_argument, NULL, OPTION_KEEP},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* A whole number from 1 to `most`, or 0. */
static unsigned whole_number(const char *text, unsigned long most)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    return *end || end == text || text[0] == '-' || number > most ? 0 : (unsigned)number;
}

static int take_number(const char *name, unsigned long most, unsigned *number)
{
    *number = whole_number(optarg, most);
    if (*number)
        return EXIT_DONE;
    return talk_usage("iterate", "--%s wants a whole number from 1 to %lu, not '%s'.", name, most,
                      optarg);
}

static int take_threshold(double *threshold)
{
    char *end;
    *threshold = strtod(optarg, &end);
    if (end != optarg && !*end && *threshold > 0 && *threshold < 1)
        return EXIT_DONE;
    return talk_usage("iterate", "--threshold wants a fraction between 0 and 1, not '%s'.", optarg);
}

static int take_option(int option, struct iterate_options *options)
{
    switch (option) {
    case OPTION_BUILD:
        options->build = optarg;
        return EXIT_DONE;
    case OPTION_RUN:
        options->run = optarg;
        return EXIT_DONE;
    case OPTION_K:
        return take_number("k", 1000, &options->k);
    case OPTION_THRESHOLD:
        return take_threshold(&options->threshold);
    case OPTION_AUTO:
        options->automatic = true;
        return EXIT_DONE;
    case OPTION_MAX_ROUNDS:
        return take_number("max-rounds", 1000, &options->max_rounds);
    case OPTION_SOURCE:
        options->source = optarg;
        return EXIT_DONE;
    case OPTION_OUT:
        options->out = optarg;
        return EXIT_DONE;
    case OPTION_CONFIG:
        options->config = optarg;
        return EXIT_DONE;
    case OPTION_COMMANDS:
        options->commands = optarg;
        return EXIT_DONE;
    case OPTION_JOBS:
        return take_number("jobs", 1024, &options->jobs);
    case OPTION_JSON:
        options->json = true;
        return EXIT_DONE;
    case OPTION_KEEP:
        options->keep = true;
        return EXIT_DONE;
    case OPTION_QUIET:
        talk_set_quiet(true);
        return EXIT_DONE;
    default:
        fputs("Try: vprofiler iterate --help\n", stderr);
        return EXIT_USAGE;
    }
}

/* The command line again, for the report. */
static void join_words(struct str *words, int argc, char **argv)
{
    str_append(words, "vprofiler");
    for (int i = 0; i < argc; i++)
        str_printf(words, " %s", argv[i]);
}

int cmd_iterate(int argc, char **argv)
{
    struct iterate_options options = iterate_defaults();
    struct str words = {0};
    join_words(&words, argc, argv);
    options.words = words.data;
    for (int option; (option = getopt_long(argc, argv, "+", table, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        int code = take_option(option, &options);
        if (code != EXIT_DONE)
            return code;
    }
    if (optind < argc && strcmp(argv[optind - 1], "--") != 0)
        return talk_usage("iterate", "'%s' is not an option; a command to run goes after --.",
                          argv[optind]);
    if (optind < argc && options.run)
        return talk_usage("iterate", "--run and a command after -- are one too many.");
    options.command = optind < argc ? argv + optind : NULL;
    options.automatic = options.automatic || !isatty(0);
    struct error error;
    bool ok = iterate(&options, &error);
    if (!ok)
        talk_error(&error);
    str_release(&words);
    return ok ? EXIT_DONE : exit_code_of(&error);
}
