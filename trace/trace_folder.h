/* trace_folder.h - the trace files of one run.
 *
 *     struct trace_folder folder;
 *     if (trace_folder_list(&folder, "rounds/01/trace", &error)) {
 *         folder.paths[i] ...                    in the order of their names
 *         trace_folder_release(&folder);
 *     }
 *
 * ERROR_SYSTEM where the folder can't be read; it is empty then.
 */
#ifndef TRACE_TRACE_FOLDER_H
#define TRACE_TRACE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct trace_folder {
    struct arena arena;
    const char **paths;
    size_t count;
};

bool trace_folder_list(struct trace_folder *folder, const char *directory, struct error *error);
void trace_folder_release(struct trace_folder *folder);

#endif
