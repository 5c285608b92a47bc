/* talk.h - what the human reads while vprofiler works: stderr only; results go to stdout.
 *
 *     talk("left out: %s", ...);          a line, unless --quiet
 *     talk_phase("[2] build");            what goes on from now: a line, or the live line of a
 *                                         terminal, with the time it takes (live_line.h)
 *     talk_pause();                       before results and questions: no live line
 *     talk_error(&error);         "vprofiler: <message>", always
 *     talk_print(stdout, "%s", name);     results that are no report; no name of theirs, nor of a
 *                                         message, does anything to the terminal
 */
#ifndef DRIVER_CLI_TALK_H
#define DRIVER_CLI_TALK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

void talk_set_quiet(bool quiet);
void talk(const char *format, ...) __attribute__((format(printf, 1, 2)));
void talk_phase(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets what was found so far, for the live line only. */
void talk_best(const char *headline);
void talk_pause(void);
void talk_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void talk_error(const struct error *error);

/* Prints the message for wrong use and how to get help; returns the exit code. */
int talk_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum exit_code {
    EXIT_DONE = 0,
    EXIT_TARGET = 1, /* the target or its build failed, or the system refused */
    EXIT_USAGE = 2,
    EXIT_NOTHING = 3,
    EXIT_INTERRUPTED = 130
};
int exit_code_of(const struct error *error);

#endif
