/* mapped_file.h - which files the programs of a run had mapped, so that no other file gives them its names later.
 *
 *     1573 1926256 1700000000.123456789 4b3d6a1f   -             /usr/lib/x86_64-linux-gnu/libc.so.6
 *     88   70112   1700000100.000000000 -          objects/3-it  /srv/it
 *
 * Inode, bytes, when it was last written to, build id or "-", its copy beside the trace or "-", its path in the
 * maps. A file is copied that is not found by its path where vprofiler runs: another one has taken its name, or
 * it is of a container. One that was written over in its place can't be had any more.
 */
#ifndef SAMPLER_MAPPED_FILE_H
#define SAMPLER_MAPPED_FILE_H

#include "base/str.h"

struct object_set;

/* Appends a line for each file that stacks lie in; copies go below `directory`, which is the trace's. */
void mapped_files_tell(const struct object_set *objects, const char *directory, struct str *text);

#endif
