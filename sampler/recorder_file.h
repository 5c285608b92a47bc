/* recorder_file.h - writes a recorder's .vtr file: a log of each processor, within a bound.
 *
 *     | header | 0.0 | 1.0 | 0.1 | 0.2 | 1.1 |       chunks as they became full: processor.sequence
 *     | header | 0.3 | 1.0 | 0.1 | 0.2 | 1.1 |       at the bound the oldest one makes room
 *
 * A chunk is in memory until it is full. What is lost with a chunk is counted in the header.
 */
#ifndef SAMPLER_RECORDER_FILE_H
#define SAMPLER_RECORDER_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "trace/trace_format.h"

struct recorder_log {
    char *chunk; /* its header and records; NULL: none yet */
    uint64_t used, records, sequence, last_ticks;
};

struct recorder_slot {
    uint64_t records, last_ticks;
};

struct recorder_file {
    int fd;
    struct str path;
    struct trace_file_header *header; /* mapped */
    struct recorder_log *logs;        /* by processor */
    uint32_t processors;
    uint64_t chunk_bytes, end_bytes, most_bytes;
    uint64_t slots_at;           /* the first chunk of a log lies there */
    struct recorder_slot *slots; /* by place in the file */
    size_t slot_count, slot_capacity, most_slots, oldest;
    uint64_t records;
    int failed; /* errno; 0: all was written */
    /* Told of the records of a chunk that makes room. */
    void (*give_up)(void *context, const void *records, uint64_t bytes);
    void *context;
};

bool recorder_file_open(struct recorder_file *file, const char *path, uint32_t processors,
                        uint64_t most_bytes, struct error *error);
/* The record's head is made here. */
void recorder_file_add(struct recorder_file *file, uint32_t processor, uint64_t time_ns,
                       enum trace_kind kind, void *record);
/* A whole chunk of another kind, with this behind its head. It never makes room; of a bounded file it comes
 * before all records. */
void recorder_file_add_chunk(struct recorder_file *file, enum trace_chunk_kind kind, uint32_t tid,
                             const void *data, size_t size);
/* What is in memory goes to the file, and what comes from now on makes none of it give room: there
 * are still so many bytes for it as the result says. */
uint64_t recorder_file_settle(struct recorder_file *file);
/* False: not all could be written. The file is closed either way. */
bool recorder_file_close(struct recorder_file *file, struct error *error);

#endif
