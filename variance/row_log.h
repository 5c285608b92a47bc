/* row_log.h - pairs of numbers, written once and read in the same order: the cells of a table.
 *
 *     struct row_log log = {0};
 *     row_log_add(&log, 17, 4711); ...
 *     row_log_settle(&log);                      now and then, between two rows
 *     struct row_log_reader r = row_log_start(&log);
 *     row_log_next(&r, &first, &second) ...      as often as pairs were added
 *     row_log_end(&r);  row_log_release(&log);
 *
 * A pair takes a byte with both numbers' sizes, and as many bytes as they need. What is more than
 * ROW_LOG_BYTES goes to a file without a name in the folder for temporary files ($TMPDIR, /tmp);
 * where that can't be written, all stays in memory. One thread at a time; no adding while there is
 * a reader.
 */
#ifndef VARIANCE_ROW_LOG_H
#define VARIANCE_ROW_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROW_LOG_BYTES ((size_t)8 << 20)

struct row_log {
    unsigned char *bytes; /* the newest */
    size_t count, capacity;
    uint64_t spilled; /* bytes in the file, before them */
    int file;         /* descriptor + 1; 0: there is none */
    bool full;        /* nothing more can be written to it */
};

enum { ROW_LOG_PAIR = 1 + 2 * sizeof(uint64_t) };

void row_log_grow(struct row_log *log);

static inline unsigned char *row_log_put(unsigned char *at, uint64_t number, unsigned size)
{
    memcpy(at, &number, sizeof number); /* what is written too much, the next one replaces */
    return at + size;
}

static inline unsigned row_log_size(uint64_t number)
{
    return (71u - (unsigned)__builtin_clzll(number | 1)) / 8;
}

static inline void row_log_add(struct row_log *log, uint64_t first, uint64_t second)
{
    if (log->capacity - log->count < ROW_LOG_PAIR)
        row_log_grow(log);
    unsigned char *start = log->bytes + log->count, *at = start + 1;
    unsigned first_size = row_log_size(first), second_size = row_log_size(second);
    *start = (unsigned char)(first_size << 4 | second_size);
    at = row_log_put(at, first, first_size);
    at = row_log_put(at, second, second_size);
    log->count += (size_t)(at - start);
}

void row_log_settle(struct row_log *log);
void row_log_release(struct row_log *log);

struct row_log_reader {
    const struct row_log *log;
    unsigned char *buffer; /* a piece of the log, and room behind it */
    size_t at, end;        /* in the buffer */
    uint64_t read;         /* bytes of the log */
};

struct row_log_reader row_log_start(const struct row_log *log);
void row_log_fill(struct row_log_reader *reader);

static inline uint64_t row_log_get(const unsigned char *at, unsigned size)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number & UINT64_MAX >> (64 - 8 * size);
}

static inline void row_log_next(struct row_log_reader *reader, uint64_t *first, uint64_t *second)
{
    if (reader->end - reader->at < ROW_LOG_PAIR)
        row_log_fill(reader);
    const unsigned char *at = reader->buffer + reader->at;
    unsigned first_size = *at >> 4, second_size = *at & 15;
    *first = row_log_get(at + 1, first_size);
    *second = row_log_get(at + 1 + first_size, second_size);
    reader->at += 1 + first_size + second_size;
}
void row_log_end(struct row_log_reader *reader);

#endif
