#include "variance/site_sums.h"

#include "base/memory.h"
#include "base/str.h"
#include "symbol/callee_table.h"
#include "variance/interval_table.h"

void site_sums_key(enum node_kind kind, const char *name, struct str *key)
{
    str_printf(key, "%d %s", (int)node_kind_of_call(kind), name);
}

static bool is_counted(const struct column *column)
{
    return column->members > 1 || column->kind == NODE_WOKEN_BY;
}

static uint32_t id_of(struct site_sums *sums, const struct column *column,
                      const struct callee_table *callees)
{
    struct str name = {0}, key = {0};
    str_printf(&name, column->kind == NODE_BODY ? "%s [body]" : "%s",
               callees->items[column->callee].name);
    site_sums_key(column->kind, name.data, &key);
    uint32_t id = intern_add(&sums->names, key.data);
    str_release(&name);
    str_release(&key);
    return id;
}

static void add_column(struct site_sums *sums, uint32_t id, const struct column_sums *from,
                       uint32_t column)
{
    uint32_t size = column_size(&from->columns[column]);
    sums->tails[id] += from->columns[column].tail;
    if (!sums->slots[id].size) {
        sums->slots[id] = (struct site_slot){sums->size, size};
        sums->size += (size_t)size * JACKKNIFE_BLOCKS;
    }
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++) {
        const __int128 *add = column_sums_in(from, b, column);
        __int128 *to = sums->sums + sums->slots[id].at + (size_t)b * size;
        for (uint32_t i = 0; add && i < size; i++)
            to[i] += add[i];
    }
}

/* The columns have at the most so many names; the result is how many sums these have in a block. */
static size_t count_columns(const struct interval_table *table, size_t *names)
{
    size_t sums = 0;
    *names = 0;
    for (uint32_t p = 0; p < table->part_count; p++)
        for (uint32_t c = 0; c < table->parts[p].columns.count; c++) {
            const struct column *column = &table->parts[p].columns.columns[c];
            *names += is_counted(column);
            sums += is_counted(column) ? column_size(column) : 0;
        }
    return sums;
}

void site_sums_init(struct site_sums *sums, const struct interval_table *table,
                    const struct callee_table *callees)
{
    size_t most, size = count_columns(table, &most);
    *sums = (struct site_sums){0};
    sums->sums = memory_zeroed(sizeof *sums->sums * size * JACKKNIFE_BLOCKS);
    sums->slots = memory_zeroed(sizeof *sums->slots * most);
    sums->tails = memory_zeroed(sizeof *sums->tails * most);
    for (uint32_t p = 0; p < table->part_count; p++) {
        const struct column_sums *from = &table->parts[p].columns;
        for (uint32_t c = 0; c < from->count; c++)
            if (is_counted(&from->columns[c]))
                add_column(sums, id_of(sums, &from->columns[c], callees), from, c);
    }
}

void site_sums_release(struct site_sums *sums)
{
    intern_release(&sums->names);
    memory_free(sums->slots);
    memory_free(sums->sums);
    memory_free(sums->tails);
}

uint32_t site_sums_find_key(const struct site_sums *sums, const char *key)
{
    return intern_find(&sums->names, key);
}

uint32_t site_sums_find(const struct site_sums *sums, enum node_kind kind, const char *name)
{
    struct str key = {0};
    site_sums_key(kind, name, &key);
    uint32_t id = site_sums_find_key(sums, key.data);
    str_release(&key);
    return id;
}
