/* switch_file.h - which probes of a running program are on: the file that its processes map (trace_format.h).
 *
 *     struct switch_file file = {0};
 *     switch_file_make(&file, "rounds/01/trace", probe_count, &error)     all are off, and the program rests
 *     switch_file_set(&file, roles);                                      probe i has roles[i] from now on
 *     switch_file_rest(&file);
 *     switch_file_release(&file);                                         the file stays
 *
 * A role is 0, or enum trace_probe_role. Processes follow when they come to an annotation or a wait.
 */
#ifndef DRIVER_WORKBENCH_SWITCH_FILE_H
#define DRIVER_WORKBENCH_SWITCH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct switch_file {
    unsigned char *switches; /* mapped; byte 0 is no probe's. NULL: there is none */
    uint32_t probe_count;
    uint32_t generation; /* of the switches; never 0 */
};

bool switch_file_make(struct switch_file *file, const char *folder, uint32_t probe_count,
                      struct error *error);
void switch_file_set(struct switch_file *file, const unsigned char *roles);
void switch_file_rest(struct switch_file *file);
void switch_file_release(struct switch_file *file);

/* A file of the trace folder that processes share is made, of that size, zeros: mapped, or NULL. */
void *switch_file_map_new(const char *folder, const char *name, size_t bytes, struct error *error);

#endif
