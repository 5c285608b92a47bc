#include "sim_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCHED = 564 /* where the header has it */,
    PAGE = 4096,
    CHUNK_HEADER = 64,
    LOG_CHUNK = 16,
    MAPS_CHUNK = 32
};

void sim_log_add(struct sim_log *log, unsigned kind, uint64_t ticks, const uint64_t *words,
                 int count)
{
    uint64_t head = ticks << 8 | kind;
    str_append_bytes(&log->records, (const char *)&head, sizeof head);
    str_append_bytes(&log->records, (const char *)words, sizeof *words * (size_t)count);
}

static void put(struct str *out, uint64_t value, size_t bytes)
{
    str_append_bytes(out, (const char *)&value, bytes);
}

static void pad(struct str *out)
{
    static const char zeros[PAGE];
    str_append_bytes(out, zeros, (PAGE - out->length % PAGE) % PAGE);
}

static void put_chunk(struct str *out, uint32_t kind, const char *payload, size_t length,
                      const struct sim_log *log, uint32_t thread, uint32_t sequence)
{
    static const char name_and_spare[24];
    put(out, 0x6b6e6863, 4);
    put(out, kind, 4);
    put(out, (CHUNK_HEADER + length + PAGE - 1) / PAGE * PAGE, 8);
    put(out, log ? log->tid : 0, 4);
    put(out, thread, 4);
    put(out, sequence, 4);
    put(out, 0, 4);
    put(out, log ? log->start : 0, 8);
    str_append_bytes(out, name_and_spare, sizeof name_and_spare);
    str_append_bytes(out, payload, length);
    pad(out);
}

static void put_header(struct str *out, const struct sim_header *header, int threads)
{
    static const uint64_t points[] = {1000, 10000000};
    str_append_bytes(out, "vproftr\n", 8);
    put(out, 1, 4);
    put(out, PAGE, 4);
    put(out, (uint64_t)header->recorder, 8);
    put(out, header->pid, 4);
    put(out, header->parent, 4);
    put(out, header->monotonic ? 3 : 1, 4);
    put(out, 1, 4);
    put(out, header->base, 8);
    for (int i = 0; i < 2; i++) {
        put(out, points[i] * header->rate, 8);
        put(out, points[i], 8);
    }
    put(out, 0, 8);
    put(out, 0, 8);
    put(out, 1, 4);
    put(out, (uint64_t)threads, 4);
    while (header->recorder && out->length < WATCHED)
        put(out, 0, 1);
    put(out, (uint64_t)header->recorder, 4);
    pad(out);
}

/* As many whole records as fit into a chunk. */
static size_t piece(const struct str *records, size_t from, size_t most)
{
    size_t at = from;
    while (at < records->length) {
        size_t size = (((unsigned char)records->data[at] & 3u) + 1) * 16;
        if (at > from && at + size - from > most)
            break;
        at += size;
    }
    return at - from;
}

void sim_file_write(const char *path, const struct sim_header *header, const struct sim_log *logs,
                    int log_count, const char *maps)
{
    struct str out = {0};
    size_t *at = calloc((size_t)log_count, sizeof *at);
    put_header(&out, header, log_count);
    if (maps)
        put_chunk(&out, MAPS_CHUNK, maps, strlen(maps) + 1, NULL, 0, 0);
    bool more = true;
    for (uint32_t sequence = 0; more; sequence++) {
        more = false;
        for (int i = log_count - 1; i >= 0; i--) {
            const struct str *records = &logs[i].records;
            if (sequence && at[i] == records->length)
                continue;
            size_t length = piece(records, at[i], header->chunk_bytes);
            put_chunk(&out, LOG_CHUNK, str_text(records) + at[i], length, &logs[i], (uint32_t)i + 1,
                      sequence);
            at[i] += length;
            more = more || at[i] < records->length;
        }
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(out.data, 1, out.length, file) != out.length || fclose(file) != 0) {
        perror(path);
        abort();
    }
    free(at);
    str_release(&out);
}
