/* command.h - a command of vprofiler as plain data; one commands/cmd_<name>.c for each, listed in
 * command.c.
 *
 *     struct values { const char *trace; unsigned k; };
 *     static int run(int argc, char **argv)
 *     {
 *         struct values values;
 *         int code;
 *         if (!command_take(&command_x, argc, argv, &values, &code))
 *             return code;                  help was printed, or what is wrong
 *         ...
 *     }
 *     static const struct option_spec options[] = {{"k", OPTION_WHOLE, ...}, {0}};
 *     static const struct option_spec arguments[] = {{.argument = "TRACE", ...}, {0}};
 *     const struct command command_x = {"x", run, "does it", .options = options, ...};
 *
 * A new command is its cmd_x.c, a line below and a line in command.c. `run` gets its own arguments,
 * argv[0] being its name, and returns the program's exit code. --help, -h and --quiet are part of
 * every command. An option may stand before or after the arguments; -- ends the options.
 */
#ifndef DRIVER_CLI_COMMAND_H
#define DRIVER_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "driver/cli/option.h"

struct command_example {
    const char *line; /* a whole command line */
    const char *what; /* what it does */
};

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;     /* one line */
    const char *description; /* paragraphs; a line that begins with a blank is printed as it is */
    const struct option_spec *options;   /* ends with a zeroed one; NULL: none */
    const struct option_spec *arguments; /* by their places; the last may be repeatable */
    struct command_example examples[3];
    const char *status; /* exit codes, where they are not the usual ones */
};

/* Commands that only read what is there have these exit codes. */
#define STATUS_OF_READERS                                                                          \
    "0 done, 1 a file can't be read or written, 2 wrong use, 3 nothing to analyse"

extern const struct command command_analyze, command_causal, command_clean, command_compare,
    command_completion, command_demo, command_doctor, command_dump, command_export, command_help,
    command_init, command_iterate, command_merge, command_record, command_report, command_rewrite,
    command_show, command_stacks, command_waits;

/* Every command has these options. */
struct command_common {
    bool quiet, share, help;
};

/* A command's tables are never NULL; the third table is that of every command's options. */
const struct option_spec *command_options(const struct command *command);
const struct option_spec *command_arguments(const struct command *command);
const struct option_spec *command_common_options(void);

/* Adds more commands at the end of the list; NULL ends them. It is called before anything else. */
void command_add(const struct command *const *more);
/* Lists every command, in the order of the help; ends with NULL. */
const struct command *const *command_list(void);
/* Finds a command by its name; where there is none it says so and gives NULL. */
const struct command *command_find(const char *name);

#endif
