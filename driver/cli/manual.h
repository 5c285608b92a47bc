/* manual.h - the manual pages, in roff: vprofiler-COMMAND(1), and vprofiler(1) over them.
 *
 *     manual_print(&command_iterate, file);      NULL: vprofiler(1)
 *
 * The pages are made when vprofiler is built, from the tables that --help is made from.
 */
#ifndef DRIVER_CLI_MANUAL_H
#define DRIVER_CLI_MANUAL_H

#include <stdio.h>

#include "driver/cli/command.h"

void manual_print(const struct command *command, FILE *out);

#endif
