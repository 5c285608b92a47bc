#include "variance/table_reader.h"

#include "base/memory.h"

void table_reader_start(struct table_reader *reader, const struct interval_table *table)
{
    *reader = (struct table_reader){.table = table, .log = row_log_start(&table->cells)};
}

bool table_reader_next(struct table_reader *reader)
{
    if (reader->next == reader->table->row_count)
        return false;
    reader->row = &reader->table->rows[reader->next++];
    reader->cell_count = 0;
    for (uint32_t i = 0; i < reader->row->cell_count; i++) {
        uint64_t node, ns;
        row_log_next(&reader->log, &node, &ns);
        VEC_PUSH(reader->cells, reader->cell_count, reader->cell_capacity) =
            (struct table_cell){(uint32_t)node, (time_ns)ns};
    }
    return true;
}

void table_reader_end(struct table_reader *reader)
{
    row_log_end(&reader->log);
    memory_free(reader->cells);
}
