/* result_file.h - a file of a result's folder.
 *
 *     result_file_write("vprofiler-out/003", "stacks.html", &text, &error)
 */
#ifndef DRIVER_RUNS_RESULT_FILE_H
#define DRIVER_RUNS_RESULT_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

bool result_file_write(const char *folder, const char *name, const struct str *text,
                       struct error *error);

#endif
