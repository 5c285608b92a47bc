/* log_reading.h - the first pass over the logs of a file: several at a time, each by one thread.
 *
 *     static void take(void *context, struct log_reading *reading);  log 0, then log 1, ...
 *         for (size_t at = 0; log_reading_next(reading, &at, &record);) ... as it stood in the log
 *
 *     log_readings_run(reader, page_calls, take, context);     0: calls are records like all others
 *
 * With pages, calls go to `pages`, and all other records are copied. Logs are read by whichever
 * thread is free, and taken in their order, one at a time, by the thread that read them, while
 * others go on reading. Damage is told in that order, too. The reader is for nobody else meanwhile.
 */
#ifndef TRACE_LOG_READING_H
#define TRACE_LOG_READING_H

#include "trace/span_pages.h"
#include "trace/trace_reader.h"

struct log_reading {
    /* A copy, to know of damage. No line of memory is two jobs'. */
    _Alignas(64) struct trace_reader reader;
    uint32_t log;
    struct span_pages_builder pages;
    unsigned char *rest; /* records, one behind the other */
    size_t rest_bytes, capacity;
};

void log_readings_run(struct trace_reader *reader, uint32_t page_calls,
                      void (*take)(void *context, struct log_reading *reading), void *context);

bool log_reading_next(const struct log_reading *reading, size_t *at, struct trace_record *record);

#endif
