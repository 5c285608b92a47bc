/* trace_windows.h - a trace file in memory, and behind it copies of its windows.
 *
 *   | the file, and room to grow | copy | copy |  no access  |
 *   0                            begin         end           room
 *
 * A running process uses the pages of a WINDOW chunk again (trace_format.h), so whoever reads its
 * file needs them as they were at one moment. A place is an offset from the map's first byte: of
 * the file as it is, or of a copy.
 */
#ifndef TRACE_WINDOWS_H
#define TRACE_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"

struct trace_windows {
    uint64_t begin; /* also the most that the file may have grown to */
    uint64_t end;
    uint64_t room;
    struct trace_window {
        uint64_t place;
        uint64_t offset; /* in the file */
    } * list;            /* ascending */
    size_t count;
    size_t capacity;
};

/* The function maps the open file in the place of `map`, with room behind it. False: out of memory;
 * `map` stays. */
bool trace_windows_open(struct trace_windows *windows, struct file_map *map, int fd);
void trace_windows_close(struct trace_windows *windows, struct file_map *map);

/* The file's size now, as far as it is mapped. */
uint64_t trace_windows_grown(const struct trace_windows *windows, int fd);

/* The place of a copy of the chunk from `offset` to `end`, or 0: it is no window any more. What it
 * held is in a LOG chunk at the file's end, or it is one itself. */
uint64_t trace_windows_copy(struct trace_windows *windows, const struct file_map *map,
                            uint64_t offset, uint64_t end);

/* The address space that neither the file nor a copy needs is given back. No copy can be made
 * then. */
void trace_windows_trim(struct trace_windows *windows, const struct file_map *map);

/* The offset is where in the file that place is. */
uint64_t trace_windows_offset(const struct trace_windows *windows, uint64_t place);

#endif
