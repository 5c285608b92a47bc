/* row_log.h - rows of pairs of numbers, written once and read in the same order: a table's cells.
 *
 *     struct row_log log = {0};
 *     struct row_log_row row = row_log_add(&log, 2, 17 | 3, 4711 | 40);
 *     row_log_put(&row, 17, 4711);  row_log_put(&row, 3, 40);  ...
 *     row_log_settle(&log);                      now and then, between two rows
 *     struct row_log_reader r = row_log_start(&log);
 *     row = row_log_next(&r, 2);                 each with as many pairs as it was added with
 *     row_log_get(&row, &first, &second) ...
 *     row_log_end(&r);  row_log_release(&log);
 *
 * A row takes a byte with two sizes; all its first numbers have one, all second ones the other.
 * What is more than ROW_LOG_BYTES goes to a file without a name in the folder for temporary files
 * ($TMPDIR, /tmp); where that can't be written, all stays in memory. One thread at a time; no
 * adding while there is a reader.
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

/* The pairs of one row that are still to put or get. */
struct row_log_row {
    unsigned char *at;
    unsigned first_size, second_size;
};

/* Room for a row of `count` pairs, whose first numbers or-ed are `firsts`, and the second ones
 * `seconds`. It must be put before the next is added. */
struct row_log_row row_log_add(struct row_log *log, size_t count, uint64_t firsts,
                               uint64_t seconds);

/* What is written too much, the next number replaces. */
static inline void row_log_put(struct row_log_row *row, uint64_t first, uint64_t second)
{
    memcpy(row->at, &first, sizeof first);
    memcpy(row->at + row->first_size, &second, sizeof second);
    row->at += row->first_size + row->second_size;
}

void row_log_settle(struct row_log *log);
void row_log_release(struct row_log *log);

struct row_log_reader {
    const struct row_log *log;
    unsigned char *buffer; /* a piece of the log, and room behind it */
    size_t at, end, capacity;
    uint64_t read; /* bytes of the log */
};

struct row_log_reader row_log_start(const struct row_log *log);
struct row_log_row row_log_next(struct row_log_reader *reader, size_t count);

static inline uint64_t row_log_number(const unsigned char *at, unsigned size)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number & UINT64_MAX >> (64 - 8 * size);
}

static inline void row_log_get(struct row_log_row *row, uint64_t *first, uint64_t *second)
{
    *first = row_log_number(row->at, row->first_size);
    *second = row_log_number(row->at + row->first_size, row->second_size);
    row->at += row->first_size + row->second_size;
}

void row_log_end(struct row_log_reader *reader);

#endif
