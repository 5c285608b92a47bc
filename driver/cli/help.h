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

/* Writes the usage: "iterate --build SCRIPT [options] [-- COMMAND ARGS...]". */
void help_append_usage(const struct command *command, struct str *text);
/* Writes an option's help with its usual value: "source files parsed at once (number of
 * processors)". */
void help_append_option(const struct option_spec *option, struct str *text);
/* Gives the exit codes in one sentence. */
const char *help_status(const struct command *command);

/* Gives the next line of a description and its length, NULL at the end. */
const char *help_next_line(const char **text, size_t *length);

#endif
