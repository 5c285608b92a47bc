/* trace_reader.h - one .vtr file: its header, and the records of each of its threads in order.
 *
 *     struct trace_reader reader;
 *     if (trace_reader_open(&reader, "run/4711.vtr", &error)) {
 *         struct trace_cursor cursor = trace_cursor_start(&reader, log);
 *         struct trace_record record;
 *         while (trace_cursor_next(&cursor, &record))
 *             if (record.kind == TRACE_MARK) ... ((const struct trace_mark *)record.data)->id
 *         trace_reader_close(&reader);
 *     }
 *
 * Every size and offset is checked before it is used. Opening fails (ERROR_FORMAT) where nothing
 * can be read: no trace, a newer format, a damaged header; ERROR_NOTHING: an empty file. Damage
 * behind the header is stepped over and told in `damage`, one sentence with its byte offset for
 * each place; cursors add to it, so read the logs first. Records point into the mapped file: valid
 * until trace_reader_close. Records and chunks of unknown kinds are stepped over by their size. One
 * thread at a time, but for cursors that read again: those change nothing.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/file.h"
#include "trace/trace_format.h"
#include "trace/trace_windows.h"
#include "trace/unwound.h"

/* A LOG chunk, as far as it lies in the file, or the copy of a window (trace_windows.h). */
struct trace_piece {
    uint64_t offset;
    uint64_t end;
    uint32_t thread;
    uint32_t sequence;
    uint32_t tid;
    bool window;
};

/* pieces[first_piece .. first_piece + piece_count) hold the records of one thread, by sequence. */
struct trace_log {
    uint32_t tid;
    uint32_t first_piece;
    uint32_t piece_count;
};

struct trace_maps {
    const char *text; /* not terminated */
    size_t length;
    uint32_t pid; /* of a recorder's: of which process; of a process's: 0 */
};

/* A STACKS chunk holds this, as far as it is whole. */
struct trace_stacks {
    uint64_t offset, end;
};

struct trace_reader {
    char *path;
    struct file_map map;
    struct trace_windows windows;
    uint64_t found_size; /* where the first look ended: what is behind was added later */
    int fd;              /* while it is opened */
    const struct trace_file_header *header;
    struct trace_piece *pieces;
    size_t piece_count;
    size_t piece_capacity;
    struct trace_log *logs; /* by number of the thread */
    size_t log_count;
    size_t log_capacity;
    struct trace_maps *maps; /* texts of /proc/self/maps, the latest last */
    size_t maps_count;
    size_t maps_capacity;
    struct trace_maps kernel;     /* the text of a KERNEL chunk */
    struct trace_maps files;      /* of a FILES chunk */
    struct trace_maps *generated; /* of GENERATED chunks */
    size_t generated_count;
    size_t generated_capacity;
    struct trace_maps points;  /* of a POINTS chunk */
    struct trace_maps targets; /* of a TARGETS chunk */
    struct trace_stacks *stacks;
    size_t stacks_count;
    size_t stacks_capacity;
    struct unwound_cursor unwound; /* the latest UNWOUND chunk, as far as it is whole; or zeros */
    char **damage;
    size_t damage_count;
    size_t damage_capacity;
};

bool trace_reader_open(struct trace_reader *reader, const char *path, struct error *error);
void trace_reader_close(struct trace_reader *reader);
/* The bytes that were read no longer count as this process's memory; they are read again where they
 * are needed. */
void trace_reader_forget(const struct trace_reader *reader);

struct trace_cursor {
    struct trace_reader *reader;
    uint32_t piece;
    uint32_t piece_end;
    uint64_t at;
    uint64_t end;
    bool again; /* damage was told the first time */
};

struct trace_record {
    unsigned kind; /* enum trace_kind, or one that is not known */
    uint64_t ticks;
    const void *data; /* TRACE_KIND_SIZE(kind) bytes, with the head */
};

/* The head is that of the latest chunk of a log. */
const struct trace_chunk *trace_log_chunk(const struct trace_reader *reader, uint32_t log);

struct trace_cursor trace_cursor_start(struct trace_reader *reader, uint32_t log);
bool trace_cursor_next(struct trace_cursor *cursor, struct trace_record *record);

/* The file is not a process's. */
static inline bool trace_reader_is_recorder(const struct trace_reader *reader)
{
    return (reader->header->features & TRACE_FEATURE_RECORDER) != 0;
}

/* The stacks of a file come from {0} on, in the order of the file. */
struct trace_stack_cursor {
    size_t chunk;
    uint64_t at;
};
struct trace_stack_view {
    struct trace_stack head;
    const char *addresses; /* head.size of 8 bytes each */
};
bool trace_stack_next(const struct trace_reader *reader, struct trace_stack_cursor *cursor,
                      struct trace_stack_view *stack);

/* The result is where the record that a cursor just gave stands in the file. */
static inline uint64_t trace_cursor_place(const struct trace_cursor *cursor,
                                          const struct trace_record *record)
{
    return (uint64_t)((const char *)record->data - cursor->reader->map.data);
}

#endif
