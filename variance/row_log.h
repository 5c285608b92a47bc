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
 * A row takes two bytes, and for each pair as many as hold its two numbers, all first numbers with
 * one number of bits, all second ones with another; 16 where those are more than 64. What is more
 * than ROW_LOG_BYTES goes to a file without a name in the folder for temporary files
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
    unsigned first_bits; /* below the second number's */
    unsigned size;       /* of a pair, in bytes */
};
enum { ROW_LOG_WIDE = 2 * sizeof(uint64_t) };

/* Room for a row of `count` pairs, whose first numbers or-ed are `firsts`, and the second ones
 * `seconds`. It must be put before the next is added. */
struct row_log_row row_log_add(struct row_log *log, size_t count, uint64_t firsts,
                               uint64_t seconds);

/* What is written too much, the next pair replaces. */
static inline void row_log_put(struct row_log_row *row, uint64_t first, uint64_t second)
{
    if (__builtin_expect(row->size == ROW_LOG_WIDE, 0))
        memcpy(row->at + sizeof first, &second, sizeof second);
    else
        first |= second << row->first_bits;
    memcpy(row->at, &first, sizeof first);
    row->at += row->size;
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

static inline void row_log_get(struct row_log_row *row, uint64_t *first, uint64_t *second)
{
    uint64_t pair;
    memcpy(&pair, row->at, sizeof pair);
    if (__builtin_expect(row->size == ROW_LOG_WIDE, 0)) {
        *first = pair;
        memcpy(second, row->at + sizeof pair, sizeof *second);
    } else {
        pair &= UINT64_MAX >> (64 - 8 * row->size);
        *first = pair & ((UINT64_C(1) << row->first_bits) - 1);
        *second = pair >> row->first_bits;
    }
    row->at += row->size;
}

void row_log_end(struct row_log_reader *reader);

#endif
