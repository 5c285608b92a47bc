/* help.h - what --help prints, made from the tables of the commands.
 *
 *     help_print(&command_iterate, stdout);
 *     help_print_commands(stdout);              the list of all
 */
#ifndef DRIVER_CLI_HELP_H
#define DRIVER_CLI_HELP_H

#include <stdio.h>

#include "base/str.h"
#include "driver/cli/command.h"

void help_print(const struct command *command, FILE *out);
void help_print_commands(FILE *out);

/* "iterate --build SCRIPT [options] [-- COMMAND ARGS...]" */
void help_append_usage(const struct command *command, struct str *text);
/* "source files parsed at once (number of processors)": with its usual value. */
void help_append_option(const struct option_spec *option, struct str *text);
/* The exit codes, one sentence. */
const char *help_status(const struct command *command);

/* The lines of a description: gives the next one and its length, NULL at the end. */
const char *help_next_line(const char **text, size_t *length);

#endif
