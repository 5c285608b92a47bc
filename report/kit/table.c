#include "report/kit/table.h"

#include "base/memory.h"

struct table {
    const struct table_format *format;
    void *state;
};

struct table *table_open(const struct table_kind *kind, const struct table_format *format,
                         FILE *out)
{
    struct table *table = memory_zeroed(sizeof *table);
    table->format = format;
    table->state = format->begin(kind, out);
    return table;
}

void table_add(struct table *table, const struct table_value *row)
{
    table->format->add(table->state, row);
}

void table_close(struct table *table)
{
    table->format->end(table->state);
    memory_free(table);
}
