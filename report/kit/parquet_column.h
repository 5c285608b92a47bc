/* parquet_column.h - one column of one row group of a Parquet file: takes values, becomes pages.
 *
 *     numbers   [ data page:  levels?  8 bytes a value ]
 *     texts     [ dictionary page: each text once ] [ data page: their places in it, bit-packed ]
 *
 * Levels say which rows have a value, where a column is optional. A page is compressed by gzip and
 * has a checksum. Zeroed but for `column`, it is empty, as it is again once written. Owns its
 * buffers.
 */
#ifndef REPORT_KIT_PARQUET_COLUMN_H
#define REPORT_KIT_PARQUET_COLUMN_H

#include <stdint.h>
#include <stdio.h>

#include "base/hash_map.h"
#include "base/str.h"
#include "report/kit/table.h"
#include "report/kit/thrift.h"

/* The numbers are those of parquet.thrift, as far as they are used here. */
enum { PARQUET_INT64 = 2, PARQUET_BYTE_ARRAY = 6 };
enum { PARQUET_REQUIRED = 0, PARQUET_OPTIONAL = 1 };
enum { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_RLE_DICTIONARY = 8 };
enum { PARQUET_DATA_PAGE = 0, PARQUET_DICTIONARY_PAGE = 2 };
enum { PARQUET_GZIP = 2 };

struct parquet_numbers {
    uint32_t *items;
    size_t count, capacity;
};

struct parquet_column {
    const struct table_column *column;
    struct str plain;               /* of numbers: 8 bytes each */
    int64_t least, greatest;        /* of numbers */
    struct intern texts;            /* each once */
    size_t text_bytes;              /* of these */
    struct parquet_numbers places;  /* of a text in `texts`, by value */
    struct parquet_numbers present; /* by row: 1, or 0 for no value; where optional */
    uint64_t row_count, value_count;
};

/* A sink is a file that is written, and how far it is. */
struct parquet_sink {
    FILE *out;
    uint64_t offset;
};

void parquet_sink_put(struct parquet_sink *sink, const void *bytes, size_t size_bytes);

/* Plain encoding wants the least byte first. */
void parquet_append(struct str *out, uint64_t value, unsigned size_bytes);

struct parquet_size {
    uint64_t plain, packed; /* bytes of the pages, with their headers */
};

void parquet_column_add(struct parquet_column *column, const struct table_value *value);
/* Appends the pages to the file and a ColumnChunk, an item of a list, to `chunk`. */
struct parquet_size parquet_column_write(struct parquet_column *column, struct parquet_sink *sink,
                                         struct thrift *chunk);
void parquet_column_release(struct parquet_column *column);

#endif
