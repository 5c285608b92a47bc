/* table_reader.h - the rows of an interval table with their cells, one after another.
 *
 *     for (uint32_t part = 0; part < table.joined_count; part++) {
 *         struct table_reader reader;
 *         table_reader_start(&reader, &table, part);
 *         while (table_reader_next(&reader)) ... reader.row, reader.cells
 *         table_reader_end(&reader);
 *     }
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
    const struct table_cells *part;
    struct row_log_reader log;
    const struct table_row *row, *next;
    size_t left;
    struct table_cell *cells; /* of the row: row->cell_count */
};

void table_reader_start(struct table_reader *reader, const struct interval_table *table,
                        uint32_t part);
bool table_reader_next(struct table_reader *reader); /* false: there are no more rows */
void table_reader_end(struct table_reader *reader);

#endif
