#include "variance/interval_table.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static uint32_t interval_table_new(struct interval_table *table, struct table_node node)
{
    if (table->node_count == NODE_NONE)
        BUG("more call paths than can be numbered");
    VEC_PUSH(table->nodes, table->node_count, table->node_capacity) = node;
    if (table->node_count > table->open_capacity) {
        uint32_t old = table->open_capacity;
        table->open_capacity = old ? old * 2 : 64;
        table->open = memory_resize(table->open, sizeof *table->open * table->open_capacity);
        memset(table->open + old, 0, sizeof *table->open * (table->open_capacity - old));
    }
    return table->node_count - 1;
}

void interval_table_init(struct interval_table *table)
{
    *table = (struct interval_table){0};
    table->recent = memory_zeroed(sizeof *table->recent * TABLE_RECENT);
    struct table_node root = {.kind = NODE_INTERVAL, .parent = NODE_NONE, .callee = UINT32_MAX};
    interval_table_new(table, root);
}

void interval_table_release(struct interval_table *table)
{
    memory_free(table->nodes);
    memory_free(table->recent);
    memory_free(table->rows);
    row_log_release(&table->cells);
    memory_free(table->open);
    memory_free(table->touched);
    hash_map_release(&table->children);
}

/* 0, the root, is nobody's child. */
static uint32_t interval_table_child(struct interval_table *table, uint64_t key,
                                     enum node_kind kind)
{
    uint64_t *known = hash_map_put(&table->children, key);
    if (!*known) {
        struct table_node node = {.kind = kind,
                                  .parent = (uint32_t)(key >> 32),
                                  .callee = (uint32_t)key >> TABLE_KIND_BITS};
        *known = interval_table_new(table, node);
    }
    return (uint32_t)*known;
}

uint32_t interval_table_seek(struct interval_table *table, uint64_t key, enum node_kind kind)
{
    struct table_child *recent = table_recent(table, key);
    if (recent->key != key || !recent->node)
        *recent = (struct table_child){key, interval_table_child(table, key, kind)};
    if (kind == NODE_FUNCTION)
        table->nodes[recent->node].kind = NODE_FUNCTION;
    return recent->node;
}

time_ns interval_table_close(struct interval_table *table, uint32_t interval)
{
    struct table_row row = {.interval = interval};
    time_ns sum = 0;
    for (size_t i = 0; i < table->touched_count; i++) {
        uint32_t node = table->touched[i];
        time_ns ns = table->open[node].ns;
        if (!ns)
            continue;
        row_log_add(&table->cells, node, (uint64_t)ns);
        table->nodes[node].own_ns += ns;
        row.cell_count++;
        sum += ns;
    }
    row_log_settle(&table->cells);
    VEC_PUSH(table->rows, table->row_count, table->row_capacity) = row;
    table->touched_count = 0;
    return sum;
}
