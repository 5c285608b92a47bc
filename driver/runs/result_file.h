/* result_file.h - a file of a result's folder.
 *
 *     result_file_write("vprofiler-out/003", "stacks.html", &text, &error)
 *     name = result_file_text(&arena, report, "target");      of its JSON, in the arena; NULL: there is none
 */
#ifndef DRIVER_RUNS_RESULT_FILE_H
#define DRIVER_RUNS_RESULT_FILE_H

#include <stdbool.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

bool result_file_write(const char *folder, const char *name, const struct str *text,
                       struct error *error);
const char *result_file_text(struct arena *arena, const json_t *object, const char *key);

#endif
