#include "trace/log_reading.h"

#include <string.h>

#include "base/memory.h"

/* Logs of fewer bytes are not worth a thread each. */
enum { FORGET_BYTES = 64 << 20, LEAST_BYTES = 1 << 18 };

void log_readings_init(struct log_readings *readings, struct trace_reader *reader,
                       uint32_t page_calls)
{
    bool long_logs = reader->map.size_bytes / LEAST_BYTES >= reader->log_count;
    *readings = (struct log_readings){.reader = reader, .page_calls = page_calls};
    readings->jobs = parallel_jobs(long_logs ? reader->log_count : 1);
}

void log_readings_release(struct log_readings *readings)
{
    for (uint32_t i = 0; i < PARALLEL_MOST; i++) {
        span_pages_builder_release(&readings->logs[i].pages);
        memory_free(readings->logs[i].rest);
    }
    trace_reader_forget(readings->reader);
}

/* What was read of the mapped files counts as memory until it is given back. */
static void forget(struct log_readings *readings, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&readings->read_bytes, bytes);
    if (before / FORGET_BYTES != (before + bytes) / FORGET_BYTES)
        trace_reader_forget(readings->reader);
}

static void keep_record(struct log_reading *reading, const struct trace_record *record)
{
    size_t size = TRACE_KIND_SIZE(record->kind);
    if (reading->capacity - reading->rest_bytes < size) {
        reading->capacity = 2 * reading->capacity + 4096;
        reading->rest = memory_resize(reading->rest, reading->capacity);
    }
    memcpy(reading->rest + reading->rest_bytes, record->data, size);
    reading->rest_bytes += size;
}

static void read_log(struct log_readings *readings, struct log_reading *reading, uint32_t log)
{
    struct trace_cursor cursor = trace_cursor_start(&reading->reader, log);
    struct trace_record record;
    bool paged = readings->page_calls > 0;
    for (uint32_t piece = cursor.piece;; piece = cursor.piece) {
        if (paged)
            span_pages_add_calls(&reading->pages, &cursor);
        if (!trace_cursor_next(&cursor, &record))
            return;
        if (record.kind == TRACE_MARK)
            span_pages_mark(&reading->pages, record.ticks);
        if (paged && trace_kind_is_call(record.kind))
            span_pages_add(&reading->pages, span_ticks_at(record.data),
                           (struct span_place){trace_cursor_place(&cursor, &record), cursor.piece});
        else
            keep_record(reading, &record);
        if (cursor.piece != piece)
            forget(readings,
                   readings->reader->pieces[piece].end - readings->reader->pieces[piece].offset);
    }
}

static void read_part(void *context, uint32_t job)
{
    struct log_readings *readings = context;
    struct log_reading *reading = &readings->logs[job];
    reading->reader = *readings->reader;
    reading->reader.damage = NULL;
    reading->reader.damage_count = reading->reader.damage_capacity = 0;
    reading->rest_bytes = 0;
    span_pages_begin(&reading->pages, readings->page_calls);
    read_log(readings, reading, readings->first + job);
}

/* Found once more, where it is told. */
static void tell_damage(struct log_readings *readings, struct log_reading *reading, uint32_t log)
{
    if (!reading->reader.damage_count)
        return;
    for (size_t i = 0; i < reading->reader.damage_count; i++)
        memory_free(reading->reader.damage[i]);
    memory_free(reading->reader.damage);
    struct trace_cursor cursor = trace_cursor_start(readings->reader, log);
    struct trace_record record;
    while (trace_cursor_next(&cursor, &record))
        ;
}

struct log_reading *log_readings_next(struct log_readings *readings)
{
    uint32_t logs = (uint32_t)readings->reader->log_count;
    if (readings->given == readings->count) {
        readings->first += readings->count;
        uint32_t left = logs - readings->first;
        readings->count = left < readings->jobs ? left : readings->jobs;
        readings->given = 0;
        if (!readings->count)
            return NULL;
        parallel_run(readings->count, read_part, readings);
    }
    struct log_reading *reading = &readings->logs[readings->given];
    tell_damage(readings, reading, readings->first + readings->given);
    readings->given++;
    return reading;
}

bool log_reading_next(const struct log_reading *reading, size_t *at, struct trace_record *record)
{
    if (*at == reading->rest_bytes)
        return false;
    const void *data = reading->rest + *at;
    uint64_t head = *(const uint64_t *)data;
    *record = (struct trace_record){TRACE_HEAD_KIND(head), TRACE_HEAD_TICKS(head), data};
    *at += TRACE_KIND_SIZE(record->kind);
    return true;
}
