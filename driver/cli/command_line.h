/* command_line.h - a command line, read by a command's tables into its values.
 *
 *     struct values values;
 *     int code;
 *     if (!command_take(&command_x, argc, argv, &values, &code))
 *         return code;                  help was printed, or what is wrong
 */
#ifndef DRIVER_CLI_COMMAND_LINE_H
#define DRIVER_CLI_COMMAND_LINE_H

#include "driver/cli/command.h"

/* Fills in every value that the tables name. False: the program ends with *code. */
bool command_take(const struct command *command, int argc, char **argv, void *values, int *code);
/* Fills in the values of a command line that gives nothing. */
void command_set_usual(const struct command *command, void *values);

#endif
