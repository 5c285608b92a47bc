#include "symbol/unit_ranges.h"

#include <stdlib.h>

#include "base/memory.h"

static void add_ranges(struct unit_ranges *ranges, Dwarf_Die *unit)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(unit, offset, &base, &begin, &end)) > 0)
        if (begin < end)
            VEC_PUSH(ranges->items, ranges->count, ranges->capacity) =
                (struct unit_range){begin, end, *unit};
}

static int by_begin(const void *a, const void *b)
{
    const struct unit_range *left = a, *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

static struct unit_ranges *ranges_of(struct unit_table *table, Dwfl_Module *module)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->modules[i].module == module)
            return &table->modules[i];
    struct unit_ranges ranges = {.module = module};
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &ranges.bias)))
        add_ranges(&ranges, unit);
    if (ranges.count)
        qsort(ranges.items, ranges.count, sizeof *ranges.items, by_begin);
    VEC_PUSH(table->modules, table->count, table->capacity) = ranges;
    return &table->modules[table->count - 1];
}

Dwarf_Die *unit_table_find(struct unit_table *table, Dwfl_Module *module, Dwarf_Addr address,
                           Dwarf_Addr *bias)
{
    Dwarf_Die *listed = dwfl_module_addrdie(module, address, bias);
    if (listed)
        return listed;
    struct unit_ranges *ranges = ranges_of(table, module);
    size_t low = 0, high = ranges->count;
    *bias = ranges->bias;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->items[middle].begin <= address - ranges->bias)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - ranges->bias < ranges->items[low - 1].end ? &ranges->items[low - 1].unit
                                                                      : NULL;
}

void unit_table_release(struct unit_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        memory_free(table->modules[i].items);
    memory_free(table->modules);
    *table = (struct unit_table){0};
}
