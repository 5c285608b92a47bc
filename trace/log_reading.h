/* log_reading.h - the first pass over the logs of a file: several at a time, each by one thread.
 *
 *     struct log_readings readings;
 *     log_readings_init(&readings, reader, page_calls);      0: calls are records like all others
 *     while ((reading = log_readings_next(&readings)))       log 0, log 1, ...
 *         for (size_t at = 0; log_reading_next(reading, &at, &record);) ... as it stood in the log
 *     log_readings_release(&readings);
 *
 * With pages, calls go to `pages`, and all other records are copied, to be taken one log after
 * another. Damage is told in the order of the logs. A reading is valid until the next one is asked
 * for. One thread at a time; the reader is for nobody else meanwhile.
 */
#ifndef TRACE_LOG_READING_H
#define TRACE_LOG_READING_H

#include <stdatomic.h>

#include "base/parallel.h"
#include "trace/span_pages.h"
#include "trace/trace_reader.h"

struct log_reading {
    /* A copy, to know of damage. No line of memory is two jobs'. */
    _Alignas(64) struct trace_reader reader;
    struct span_pages_builder pages;
    unsigned char *rest; /* records, one behind the other */
    size_t rest_bytes, capacity;
};

struct log_readings {
    struct trace_reader *reader;
    uint32_t page_calls;
    struct log_reading logs[PARALLEL_MOST]; /* from log `first` on */
    uint32_t jobs, first, count, given;     /* count of them were read, given of these taken */
    _Atomic uint64_t read_bytes;
};

void log_readings_init(struct log_readings *readings, struct trace_reader *reader,
                       uint32_t page_calls);
struct log_reading *log_readings_next(struct log_readings *readings);
void log_readings_release(struct log_readings *readings);

bool log_reading_next(const struct log_reading *reading, size_t *at, struct trace_record *record);

#endif
