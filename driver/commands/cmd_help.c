#include "driver/cli/command_line.h"
#include "driver/cli/help.h"
#include "driver/cli/manual.h"
#include "driver/cli/talk.h"

struct help_values {
    const char *command;
    bool roff;
};

static const struct option_spec options[] = {
    FLAG("roff", offsetof(struct help_values, roff),
         "print the manual page, in roff, for man and groff"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(TEXT, offsetof(struct help_values, command), "COMMAND",
             "the command; otherwise all are listed"),
    {0},
};

static int run(int argc, char **argv)
{
    struct help_values values;
    int code;
    if (!command_take(&command_help, argc, argv, &values, &code))
        return code;
    const struct command *command = values.command ? command_find(values.command) : NULL;
    if (values.command && !command)
        return EXIT_USAGE;
    if (values.roff)
        manual_print(command, stdout);
    else if (command)
        help_print(command, stdout);
    else
        help_print_commands(stdout);
    return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .run = run,
    .summary = "list the commands, or tell about one",
    .description = "Lists the commands, or prints the help of one, or its manual page.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler help", "every command, a line each"},
                 {"vprofiler help iterate", "the same as vprofiler iterate --help"},
                 {"vprofiler help --roff iterate | man -l -", "read its manual page"}},
    .status = "0 done, 2 wrong use",
};
