#include "variance/table_reader.h"

#include "base/memory.h"

void table_reader_start(struct table_reader *reader, const struct interval_table *table,
                        uint32_t part)
{
    const struct table_cells *cells = &table->joined[part];
    *reader =
        (struct table_reader){.part = cells,
                              .log = row_log_start(&cells->log),
                              .next = table->rows ? &table->rows[cells->first_row] : NULL,
                              .left = cells->row_count,
                              .cells = memory_alloc(sizeof *reader->cells * table->node_count)};
}

bool table_reader_next(struct table_reader *reader)
{
    if (reader->left == 0)
        return false;
    reader->left--;
    reader->row = reader->next++;
    struct row_log_row row = row_log_next(&reader->log, reader->row->cell_count);
    for (uint32_t i = 0; i < reader->row->cell_count; i++) {
        uint64_t node, ns;
        row_log_get(&row, &node, &ns);
        reader->cells[i] = (struct table_cell){reader->part->node_of[node], (time_ns)ns};
    }
    return true;
}

void table_reader_end(struct table_reader *reader)
{
    row_log_end(&reader->log);
    memory_free(reader->cells);
}
