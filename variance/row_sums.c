#include "variance/row_sums.h"

#include <string.h>

#include "base/memory.h"
#include "variance/family_sums.h"

void row_sums_init(struct row_sums *sums, const struct sibling *places, uint32_t node_count,
                   uint32_t pair_count)
{
    *sums = (struct row_sums){.pair_count = pair_count};
    row_columns_init(&sums->columns, places, node_count);
    sums->moments = memory_zeroed_lines(sizeof *sums->moments * node_count);
    sums->products = memory_zeroed(sizeof *sums->products * pair_count);
}

void row_sums_release(struct row_sums *sums)
{
    row_columns_release(&sums->columns);
    memory_free(sums->moments);
    memory_free(sums->products);
    *sums = (struct row_sums){0};
}

void row_sums_settle(struct row_sums *sums)
{
    while (row_columns_next(&sums->columns)) {
        family_sums_add(&sums->columns, sums->moments, sums->products);
        row_columns_fold(&sums->columns);
    }
}

void row_sums_add(struct row_sums *sums, const struct table_cell *cells, size_t count,
                  const uint32_t *leaf_of, time_ns latency, bool tail)
{
    for (size_t i = 0; i < count; i++)
        row_columns_put(&sums->columns, leaf_of[cells[i].node], (uint64_t)cells[i].own_ns);
    sums->row_count++;
    if (!row_columns_close(&sums->columns, (uint64_t)latency, tail))
        row_sums_settle(sums);
}

void row_sums_clear(struct row_sums *sums)
{
    sums->row_count = 0;
    memset(sums->moments, 0, sizeof *sums->moments * sums->columns.node_count);
    memset(sums->products, 0, sizeof *sums->products * sums->pair_count);
}
