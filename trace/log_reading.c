#include "trace/log_reading.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

/* Logs of fewer bytes are not worth a thread each. */
enum { LEAST_BYTES = 1 << 18 };

struct log_readings {
    struct trace_reader *reader;
    uint32_t page_calls;
    void (*take)(void *context, struct log_reading *reading);
    void *context;
    _Atomic uint32_t next; /* log to read */
    uint32_t taken;        /* logs */
    pthread_mutex_t lock;  /* of `taken` */
    pthread_cond_t turn;   /* it has grown */
    _Atomic uint64_t read_bytes;
    struct log_reading logs[PARALLEL_MOST]; /* by job */
};

/* The bytes read of the mapped files count as memory until they are given back. */
static void forget(struct log_readings *readings, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&readings->read_bytes, bytes);
    if (before / FILE_FORGET_BYTES != (before + bytes) / FILE_FORGET_BYTES)
        trace_reader_forget(readings->reader);
}

/* A record has 16 to 64 bytes; what copies any number of them takes longer to begin. */
static void copy_record(void *to, const void *from, size_t size)
{
    enum { UNIT = 16 };
    for (size_t i = 0; i < size; i += UNIT)
        memcpy((char *)to + i, (const char *)from + i, UNIT);
}

static void keep_record(struct log_reading *reading, const struct trace_record *record)
{
    size_t size = TRACE_KIND_SIZE(record->kind);
    if (reading->capacity - reading->rest_bytes < size) {
        reading->capacity = 2 * reading->capacity + 4096;
        reading->rest = memory_resize(reading->rest, reading->capacity);
    }
    copy_record(reading->rest + reading->rest_bytes, record->data, size);
    reading->rest_bytes += size;
}

static void read_records(struct log_readings *readings, struct log_reading *reading)
{
    struct trace_cursor cursor = trace_cursor_start(&reading->reader, reading->log);
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
                           trace_cursor_place(&cursor, &record));
        else
            keep_record(reading, &record);
        if (cursor.piece != piece)
            forget(readings,
                   reading->reader.pieces[piece].end - reading->reader.pieces[piece].offset);
    }
}

/* The damage is found once more, where it is told. */
static void tell_damage(struct log_readings *readings, struct log_reading *reading)
{
    struct trace_reader *copy = &reading->reader;
    if (!copy->damage_count)
        return;
    for (size_t i = 0; i < copy->damage_count; i++)
        memory_free(copy->damage[i]);
    memory_free(copy->damage);
    copy->damage = NULL;
    copy->damage_count = copy->damage_capacity = 0;
    struct trace_cursor cursor = trace_cursor_start(readings->reader, reading->log);
    struct trace_record record;
    while (trace_cursor_next(&cursor, &record))
        ;
}

static void take_in_turn(struct log_readings *readings, struct log_reading *reading)
{
    pthread_mutex_lock(&readings->lock);
    while (readings->taken != reading->log)
        pthread_cond_wait(&readings->turn, &readings->lock);
    pthread_mutex_unlock(&readings->lock);
    tell_damage(readings, reading);
    readings->take(readings->context, reading);
    pthread_mutex_lock(&readings->lock);
    readings->taken++;
    pthread_cond_broadcast(&readings->turn);
    pthread_mutex_unlock(&readings->lock);
}

static void read_logs(void *context, uint32_t job)
{
    struct log_readings *readings = context;
    struct log_reading *reading = &readings->logs[job];
    while ((reading->log = atomic_fetch_add(&readings->next, 1)) < reading->reader.log_count) {
        reading->rest_bytes = 0;
        span_pages_begin(&reading->pages, readings->page_calls);
        read_records(readings, reading);
        take_in_turn(readings, reading);
    }
    span_pages_builder_release(&reading->pages);
    memory_free(reading->rest);
}

void log_readings_run(struct trace_reader *reader, uint32_t page_calls,
                      void (*take)(void *context, struct log_reading *reading), void *context)
{
    bool long_logs = reader->map.size_bytes / LEAST_BYTES >= reader->log_count;
    struct log_readings readings = {.reader = reader,
                                    .page_calls = page_calls,
                                    .take = take,
                                    .context = context,
                                    .lock = PTHREAD_MUTEX_INITIALIZER,
                                    .turn = PTHREAD_COND_INITIALIZER};
    for (uint32_t i = 0; i < PARALLEL_MOST; i++) {
        struct trace_reader *copy = &readings.logs[i].reader;
        *copy = *reader;
        copy->damage = NULL;
        copy->damage_count = copy->damage_capacity = 0;
    }
    parallel_run(parallel_jobs(long_logs ? reader->log_count : 1), read_logs, &readings);
    pthread_cond_destroy(&readings.turn);
    pthread_mutex_destroy(&readings.lock);
    trace_reader_forget(reader);
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
