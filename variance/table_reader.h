/* table_reader.h - the rows of an interval table with their cells, one after another.
 *
 *     struct table_reader reader;
 *     table_reader_start(&reader, &table);
 *     while (table_reader_next(&reader)) ... reader.row, reader.cells, reader.cell_count
 *     table_reader_end(&reader);
 *
 * Borrows the table, to which no row may be added meanwhile; owns the cells. There may be several.
 */
#ifndef VARIANCE_TABLE_READER_H
#define VARIANCE_TABLE_READER_H

#include "variance/interval_table.h"

struct table_cell {
    uint32_t node;
    time_ns own_ns;
};

struct table_reader {
    const struct interval_table *table;
    struct row_log_reader log;
    size_t next;
    const struct table_row *row;
    struct table_cell *cells; /* of the row */
    size_t cell_count, cell_capacity;
};

void table_reader_start(struct table_reader *reader, const struct interval_table *table);
bool table_reader_next(struct table_reader *reader); /* false: there are no more rows */
void table_reader_end(struct table_reader *reader);

#endif
