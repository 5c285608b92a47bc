/* given.h - the files and folders that the user named on the command line.
 *
 *     char script[PATH_MAX];
 *     if (!given_script(options->build, "build script", "build", script, &error)) ...
 *
 * Each function gives the absolute path, or an error of wrong use that names the option and, where
 * a name is near, the file that was meant. A NULL path is fine and leaves `absolute` alone.
 */
#ifndef DRIVER_WORKBENCH_GIVEN_H
#define DRIVER_WORKBENCH_GIVEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Messages say `what` it is: "build script"; `option` is NULL for an argument. */
bool given_file(const char *path, const char *what, const char *option, char *absolute,
                struct error *error);
bool given_folder(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error);
/* A script is a file whose first line, if it names an interpreter, names one that is there. */
bool given_script(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error);
/* The interpreter that a script's first line names, or NULL; it stands in `line`, and what follows it
 * is asked for by strtok_r(NULL, GIVEN_BLANKS, rest). */
#define GIVEN_BLANKS " \t\n"
char *given_interpreter(const char *script, char *line, size_t size_bytes, char **rest);
/* Finds the folder for results (--out), which is made if need be. */
bool given_results(const char *path, char *absolute, struct error *error);
/* The same; not the source tree itself, which is absolute. */
bool given_out(const char *path, const char *source, char *absolute, struct error *error);
/* A folder is the user's own where nobody else can exchange its files. */
bool given_is_own_folder(const char *path, struct error *error);

#endif
