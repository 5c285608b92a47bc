#include "variance/interval_table.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static uint32_t interval_table_new(struct interval_table *table, struct table_node node)
{
    uint32_t capacity = table->node_capacity;
    if (table->node_count == TABLE_MOST_NODES)
        BUG("more call paths than can be numbered");
    VEC_PUSH(table->nodes, table->node_count, table->node_capacity) = node;
    if (table->node_capacity != capacity) {
        size_t room = table->node_capacity;
        table->tallies = memory_resize(table->tallies, sizeof *table->tallies * room);
        table->touched = memory_resize(table->touched, sizeof *table->touched * (room + 1));
    }
    table->tallies[table->node_count - 1] = (struct table_tally){0};
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
    for (uint32_t i = 0; i < table->joined_count; i++) {
        row_log_release(&table->joined[i].log);
        memory_free(table->joined[i].node_of);
    }
    memory_free(table->joined);
    memory_free(table->nodes);
    memory_free(table->tallies);
    memory_free(table->rows);
    row_log_release(&table->cells);
    memory_free(table->touched);
    hash_map_release(&table->children);
}

uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee)
{
    unsigned class = kind == NODE_FUNCTION ? NODE_CALL : kind;
    uint64_t key = (uint64_t)parent << 32 | callee << TABLE_KIND_BITS | class;
    uint64_t *known = hash_map_put(&table->children, key);
    if (!*known) /* 0, the root, is nobody's child */
        *known = interval_table_new(
            table, (struct table_node){.kind = kind, .parent = parent, .callee = callee});
    uint32_t node = (uint32_t)*known;
    if (kind == NODE_FUNCTION)
        table->nodes[node].kind = NODE_FUNCTION;
    return node;
}

static void tally_close(struct table_tally *tally, struct table_node *node)
{
    uint64_t ns = (uint64_t)tally->open_ns;
    tally->open_ns = 0;
    if (__builtin_add_overflow(tally->own_ns, ns, &tally->own_ns))
        node->own_ns += (__int128)1 << 64;
}

/* The open row, as the list of touched nodes has it once those without time are left out. */
struct open_row {
    uint32_t nodes;      /* all of them or-ed */
    uint64_t times, sum; /* times: or-ed */
};

static struct open_row gather_row(struct interval_table *table)
{
    struct open_row row = {0};
    size_t count = 0;
    for (size_t i = 0; i < table->touched_count; i++) {
        uint32_t node = table->touched[i];
        uint64_t ns = (uint64_t)table->tallies[node].open_ns;
        table->touched[count] = node;
        count += ns != 0;
        row.nodes |= node;
        row.times |= ns;
        row.sum += ns;
    }
    if (row.times > INT64_MAX)
        BUG("more was taken from a node's time than was added");
    table->touched_count = count;
    return row;
}

time_ns interval_table_close(struct interval_table *table, uint32_t interval)
{
    struct open_row open = gather_row(table);
    size_t count = table->touched_count;
    struct row_log_row row = row_log_add(&table->cells, count, open.nodes, open.times);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = table->touched[i];
        row_log_put(&row, node, (uint64_t)table->tallies[node].open_ns);
        tally_close(&table->tallies[node], &table->nodes[node]);
    }
    row_log_settle(&table->cells);
    VEC_PUSH(table->rows, table->row_count, table->row_capacity) =
        (struct table_row){interval, (uint32_t)count};
    table->touched_count = 0;
    return (time_ns)open.sum;
}

static void tally_join(struct table_tally *tally, const struct table_tally *part)
{
    tally->calls += part->calls;
    if (part->site && (!tally->site || part->site < tally->site))
        tally->site = part->site;
}

/* What the part says of its nodes; returns their numbers in the table. */
static uint32_t *join_nodes(struct interval_table *table, const struct interval_table *part,
                            const uint32_t *callee_of)
{
    uint32_t *node_of = memory_alloc(sizeof *node_of * part->node_count);
    node_of[TABLE_ROOT] = TABLE_ROOT;
    for (uint32_t n = 0; n < part->node_count; n++) {
        const struct table_node *from = &part->nodes[n];
        if (n != TABLE_ROOT)
            node_of[n] = interval_table_node(table, node_of[from->parent], from->kind,
                                             callee_of[from->callee]);
        table->nodes[node_of[n]].own_ns += from->own_ns + part->tallies[n].own_ns;
        tally_join(&table->tallies[node_of[n]], &part->tallies[n]);
    }
    return node_of;
}

void interval_table_join(struct interval_table *table, struct interval_table *part,
                         const uint32_t *callee_of)
{
    struct table_cells cells = {part->cells, join_nodes(table, part, callee_of), table->row_count,
                                part->row_count};
    VEC_PUSH(table->joined, table->joined_count, table->joined_capacity) = cells;
    part->cells = (struct row_log){0};
    for (size_t r = 0; r < part->row_count; r++)
        VEC_PUSH(table->rows, table->row_count, table->row_capacity) = part->rows[r];
}
