/* command_words.h - the command line again, for a report that others may read.
 *
 *     vprofiler record -- ./server --password=*** --token *** DB_PASS=*** https://me:***@host/
 *
 * Secrets are written as *** with `redact`: the value of an option or of a variable whose name
 * tells that it is secret, the password of a URL or of --user NAME:PASSWORD, and what follows
 * "Authorization:". They are found too within a word that is itself a command line, as those of
 * `compare --ab`. A secret that no name tells of stays.
 */
#ifndef DRIVER_CLI_COMMAND_WORDS_H
#define DRIVER_CLI_COMMAND_WORDS_H

#include <stdbool.h>

#include "base/str.h"

/* Appends a command line as it was typed. */
void command_words_line(struct str *text, const char *line, bool redact);

/* Appends "vprofiler" and argv, which begins with the command's name, as a shell reads them. */
void command_words(struct str *text, int argc, char *const *argv, bool redact);

#endif
