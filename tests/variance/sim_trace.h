/* sim_trace.h - writes .vtr files, packed by hand from docs/vprofiler-trace.5.md.
 *
 *     sim_log_add(&log, 0x21, ticks, (uint64_t[]){id, what, 0}, 3);
 *     sim_file_write("run/100.vtr", &header, logs, log_count, maps);
 *
 * Nothing of trace/ is used here: what is wrong in the reader must not be wrong here as well.
 */
#ifndef TESTS_SIM_TRACE_H
#define TESTS_SIM_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct sim_log {
    uint32_t tid;
    uint64_t start; /* of its function; 0: not known */
    struct str records;
};

struct sim_header {
    uint32_t pid, parent;
    uint64_t rate;        /* ticks in a ns */
    int monotonic;        /* the clock is CLOCK_MONOTONIC, else the TSC */
    uint64_t base;        /* of the ticks in the records */
    int recorder;         /* of the scheduler; no process */
    uint32_t chunk_bytes; /* of records in a chunk, at the most */
};

/* A kind tells the size: 2 or 4 words with the head. */
void sim_log_add(struct sim_log *log, unsigned kind, uint64_t ticks, const uint64_t *words,
                 int count);

/* The threads' chunks lie in the file by turns; without maps (NULL) it has none. Aborts where it can't be written. */
void sim_file_write(const char *path, const struct sim_header *header, const struct sim_log *logs,
                    int log_count, const char *maps);

#endif
