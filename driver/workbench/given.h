/* given.h - the files and folders that the user named on the command line.
 *
 *     char script[PATH_MAX];
 *     if (!given_script(options->build, "build script", "build", script, &error)) ...
 *
 * Each gives the absolute path, or an error of wrong use that names the option and, where a name
 * is near, the file that was meant. A NULL path is fine and leaves `absolute` alone.
 */
#ifndef DRIVER_WORKBENCH_GIVEN_H
#define DRIVER_WORKBENCH_GIVEN_H

#include <stdbool.h>

#include "base/error.h"

/* `what` it is, for messages: "build script"; `option` is NULL for an argument. */
bool given_file(const char *path, const char *what, const char *option, char *absolute,
                struct error *error);
bool given_folder(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error);
/* A file whose first line, if it names an interpreter, names one that is there. */
bool given_script(const char *path, const char *what, const char *option, char *absolute,
                  struct error *error);
/* The folder for results (--out), made if need be; not the source tree itself, which is absolute.
 */
bool given_out(const char *path, const char *source, char *absolute, struct error *error);
/* Not one whose files another user can exchange. */
bool given_is_own_folder(const char *path, struct error *error);

#endif
