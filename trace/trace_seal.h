/* trace_seal.h - the trace of a run that is over, so that a later reader sees what is missing.
 *
 *     trace_seal_folder("rounds/01/trace", &error)        the run's processes have ended
 *     if (!trace_seal_holds(path, data, size, &text)) text: "was cut: 4096 of 139264 bytes are
 * left"
 *
 * A file's header then says how long the file is and what its checksum is, and by which rate its
 * ticks are ns: alone, or beside files of other runs, they are the same ns.
 */
#ifndef TRACE_TRACE_SEAL_H
#define TRACE_TRACE_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "trace/trace_format.h"

/* Seals each file of the folder that has a header. What a process writes to it afterwards counts as
 * a change of the file. */
bool trace_seal_folder(const char *directory, struct error *error);

/* The file is mapped and has a page or more, sealed or not. False: appends what is wrong with it, a
 * sentence. */
bool trace_seal_holds(const char *path, const char *data, size_t size_bytes, struct str *text);

/* The result is true if both are of one run. All that are not sealed are. */
bool trace_seal_is_one_run(const struct trace_file_header *a, const struct trace_file_header *b);

#endif
