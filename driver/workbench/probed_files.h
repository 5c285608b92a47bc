/* probed_files.h - the files that hold probes, and those that the user's build overwrote since.
 *
 *     probed_files_note(&files, table, tree, &error);       after rewriting
 *     probed_files_find_lost(&files, tree);                 after the build
 *     if (files.lost_count) ... files.lost, files.lost_probes
 *
 * A build that makes a source file again (a generator, an unpacked archive) takes the probes out
 * of it, and nothing else would tell. Owns its memory.
 */
#ifndef DRIVER_WORKBENCH_PROBED_FILES_H
#define DRIVER_WORKBENCH_PROBED_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "base/str.h"
#include "trace/function_table.h"

struct probed_file;

struct probed_files {
    struct intern paths; /* below the tree */
    struct probed_file *items;
    size_t count, capacity;
    struct str lost; /* "parser.c, scanner.c and 3 more" */
    uint32_t lost_count;
    uint32_t lost_probes;
};

void probed_files_note(struct probed_files *files, const struct function_table *table,
                       const char *tree);
void probed_files_find_lost(struct probed_files *files, const char *tree);
void probed_files_release(struct probed_files *files);

#endif
