/* unwound.h - takes an UNWOUND chunk apart: how far stacks could be followed in each object.
 *
 *     struct unwound_cursor cursor = {chunk.offset, chunk.end};
 *     struct unwound_view view;
 *     while (unwound_next(data, &cursor, &view)) ... view.path, view.head.by_rows
 *
 * The bytes may be anything. Paths point into them.
 */
#ifndef TRACE_UNWOUND_H
#define TRACE_UNWOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace_format.h"

/* Offsets in the file. */
struct unwound_cursor {
    uint64_t at, end;
    bool damaged; /* what stands at `at` is no object, and no end */
};

struct unwound_view {
    struct trace_unwound head;
    const char *path;
};

/* False: the chunk is too short to tell. Else the cursor is at the first object. */
bool unwound_begin(const char *data, struct unwound_cursor *cursor,
                   struct trace_unwinding *unwinding);
bool unwound_next(const char *data, struct unwound_cursor *cursor, struct unwound_view *view);

#endif
