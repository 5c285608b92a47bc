#include <stdio.h>
#include <string.h>

#include "driver/command.h"
#include "driver/talk.h"

static const struct command commands[] = {
    {"iterate", cmd_iterate, "find out why the latency of a program varies"},
    {"rewrite", cmd_rewrite, "only instrument: a copy of the source tree with probes in it"},
    {"demo", cmd_demo, "the same on a bundled toy server: a report in half a minute"},
    {"analyze", cmd_analyze, "analyse traces that are there, without running anything"},
    {"merge", cmd_merge, "several runs or hosts as one, exactly"},
    {"export", cmd_export, "a result for other tools: CSV, folded stacks, DOT"},
    {"dump", cmd_dump, "print what a run recorded: the four kinds of tuples"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int print_help(FILE *out, int code)
{
    fputs("vprofiler says why the latency of your requests varies.\n\nusage: vprofiler COMMAND "
          "[options]\n\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs("\nvprofiler COMMAND --help tells more; vprofiler --version.\n", out);
    return code;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return print_help(stderr, EXIT_USAGE);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return print_help(stdout, EXIT_DONE);
    if (strcmp(argv[1], "--version") == 0) {
        puts("vprofiler " VPROFILER_VERSION " (trace format 1, vprofiler.variance/1)");
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "vprofiler: there is no command '%s'.\n", argv[1]);
    return print_help(stderr, EXIT_USAGE);
}
