#include "variance/interval_table.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { KIND_BITS = 3 };

static uint32_t interval_table_new(struct interval_table *table, struct table_node node)
{
    if (table->node_count == NODE_NONE)
        BUG("more call paths than can be numbered");
    VEC_PUSH(table->nodes, table->node_count, table->node_capacity) = node;
    if (table->node_count > table->open_capacity) {
        uint32_t old = table->open_capacity;
        table->open_capacity = old ? old * 2 : 64;
        table->open_ns = memory_resize(table->open_ns, sizeof(time_ns) * table->open_capacity);
        memset(table->open_ns + old, 0, sizeof(time_ns) * (table->open_capacity - old));
    }
    return table->node_count - 1;
}

void interval_table_init(struct interval_table *table)
{
    *table = (struct interval_table){0};
    struct table_node root = {.kind = NODE_INTERVAL, .parent = NODE_NONE, .callee = UINT32_MAX};
    interval_table_new(table, root);
}

void interval_table_release(struct interval_table *table)
{
    memory_free(table->nodes);
    memory_free(table->rows);
    memory_free(table->cells);
    memory_free(table->open_ns);
    memory_free(table->touched);
    hash_map_release(&table->children);
}

/* A function and a call of it share a place. */
static uint32_t kind_class(enum node_kind kind)
{
    switch (kind) {
    case NODE_FUNCTION:
    case NODE_CALL:
        return 0;
    case NODE_WOKEN_BY:
        return 1;
    case NODE_WAIT:
        return 2;
    case NODE_QUEUE:
        return 3;
    case NODE_IO:
        return 4;
    case NODE_UNEXPLAINED:
        return 5;
    default:
        BUG("no path has a node of this kind");
    }
}

uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee)
{
    if (callee >> (32 - KIND_BITS))
        BUG("more names than can be numbered");
    uint64_t key = (uint64_t)parent << 32 | callee << KIND_BITS | kind_class(kind);
    uint64_t *known = hash_map_put(&table->children, key);
    if (!*known) { /* 0 is the root, which is nobody's child */
        struct table_node node = {.kind = kind, .parent = parent, .callee = callee};
        *known = interval_table_new(table, node);
    }
    uint32_t node = (uint32_t)*known;
    if (kind == NODE_FUNCTION)
        table->nodes[node].kind = NODE_FUNCTION;
    return node;
}

void interval_table_count(struct interval_table *table, uint32_t index, uint32_t site)
{
    struct table_node *node = &table->nodes[index];
    node->calls++;
    if (site && (!node->site || site < node->site))
        node->site = site;
}

void interval_table_add(struct interval_table *table, uint32_t node, time_ns ns)
{
    if (!table->open_ns[node])
        VEC_PUSH(table->touched, table->touched_count, table->touched_capacity) = node;
    table->open_ns[node] += ns;
}

time_ns interval_table_close(struct interval_table *table, uint32_t interval)
{
    struct table_row row = {.interval = interval, .first_cell = table->cell_count};
    time_ns sum = 0;
    for (size_t i = 0; i < table->touched_count; i++) {
        uint32_t node = table->touched[i];
        struct table_cell cell = {.node = node, .own_ns = table->open_ns[node]};
        VEC_PUSH(table->cells, table->cell_count, table->cell_capacity) = cell;
        sum += cell.own_ns;
        table->open_ns[node] = 0;
    }
    row.cell_count = table->touched_count;
    table->touched_count = 0;
    VEC_PUSH(table->rows, table->row_count, table->row_capacity) = row;
    return sum;
}
