/* parquet.h - a table as a Parquet file: flat, typed, compressed by column, read by most engines.
 *
 *     PAR1 | row group: a chunk for each column | row group | ... | metadata | its size | PAR1
 *
 * A number is INT64, a text a dictionary-encoded UTF-8 string; pages are gzip. A row group ends at
 * PARQUET_GROUP_ROWS rows or with a column of PARQUET_GROUP_TEXT_BYTES of different texts, and is
 * all that is held in memory, beside 100 bytes of metadata for each chunk written.
 *
 * The format is that of README.md, Encodings.md and src/main/thrift/parquet.thrift of
 * apache/parquet-format.
 */
#ifndef REPORT_KIT_PARQUET_H
#define REPORT_KIT_PARQUET_H

#include "report/kit/table.h"

enum { PARQUET_GROUP_ROWS = 1 << 17, PARQUET_GROUP_TEXT_BYTES = 8 << 20 };

extern const struct table_format parquet_format;

#endif
