/* table.h - a table for another engine, row by row: its columns said once, the formats differ.
 *
 *     static const struct table_column columns[] = {{"node", TABLE_NUMBER}, {"name", TABLE_TEXT}};
 *     static const struct table_kind kind = {"names", columns, 2};
 *
 *     struct table *table = table_open(&kind, &parquet_format, out);
 *     table_add(table, (struct table_value[]){{.number = 4}, {.text = "serve"}});
 *     table_close(table);                          the file is whole; `out` stays open
 *
 * Numbers are 64 bits with a sign; texts go out as UTF-8, whatever bytes they hold (base/utf8.h).
 * Memory does not grow with the rows. Borrows all but its own state; errors are the stream's
 * (ferror).
 */
#ifndef REPORT_KIT_TABLE_H
#define REPORT_KIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum table_type { TABLE_NUMBER, TABLE_TEXT };

struct table_column {
    const char *name;
    enum table_type type;
    bool optional; /* a row may have no value here; numbers only */
};

struct table_kind {
    const char *name;
    const struct table_column *columns;
    size_t column_count;
};

struct table_value {
    int64_t number;
    const char *text; /* NULL is "" */
    bool missing;
};

/* A format makes bytes of rows; there are csv_format and parquet_format. */
struct table_format {
    const char *suffix; /* "csv" */
    void *(*begin)(const struct table_kind *kind, FILE *out);
    void (*add)(void *state, const struct table_value *row);
    void (*end)(void *state); /* also releases it */
};

struct table;

struct table *table_open(const struct table_kind *kind, const struct table_format *format,
                         FILE *out);
void table_add(struct table *table, const struct table_value *row); /* a value for each column */
void table_close(struct table *table);

#endif
