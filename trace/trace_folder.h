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
#include "trace/trace_format.h"

struct trace_folder {
    struct arena arena;
    const char **paths;
    size_t count;
};

bool trace_folder_list(struct trace_folder *folder, const char *directory, struct error *error);
void trace_folder_release(struct trace_folder *folder);

/* The header is that of one of the files, while its process may still run. False: one that just
 * begins has none yet. */
bool trace_folder_header(int fd, struct trace_file_header *header);

#endif
