#include "variance/interval_table.h"

#include "base/error.h"
#include "base/memory.h"

static uint32_t interval_table_new(struct interval_table *table, struct table_node node)
{
    uint32_t capacity = table->node_capacity, index = table->node_count;
    if (table->node_count == TABLE_MOST_NODES)
        BUG("more call paths than can be numbered");
    VEC_PUSH(table->nodes, table->node_count, table->node_capacity) = node;
    if (table->node_capacity != capacity) {
        size_t room = table->node_capacity;
        table->tallies = memory_resize(table->tallies, sizeof *table->tallies * room);
        table->touched = memory_resize(table->touched, sizeof *table->touched * (room + 1));
        table->cells = memory_resize(table->cells, sizeof *table->cells * room);
    }
    uint32_t parent = index == TABLE_ROOT ? TABLE_ROOT : node.parent;
    table->tallies[index] = (struct table_tally){.parent = parent};
    path_sums_meet(&table->sums, parent, node.blamed);
    return index;
}

void interval_table_init(struct interval_table *table)
{
    *table = (struct interval_table){.row = 1};
    path_sums_init(&table->sums);
    struct table_node root = {.kind = NODE_INTERVAL, .parent = NODE_NONE, .callee = UINT32_MAX};
    interval_table_new(table, root);
}

void interval_table_release(struct interval_table *table)
{
    for (uint32_t i = 0; i < table->part_count; i++) {
        path_sums_release(&table->parts[i].sums);
        memory_free(table->parts[i].node_of);
    }
    path_sums_release(&table->sums);
    memory_free(table->parts);
    memory_free(table->nodes);
    memory_free(table->tallies);
    memory_free(table->touched);
    memory_free(table->cells);
    hash_map_release(&table->children);
}

uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee)
{
    unsigned class = kind == NODE_FUNCTION ? NODE_CALL : kind;
    uint64_t key = (uint64_t)parent << 32 | callee << TABLE_KIND_BITS | class;
    uint64_t *known = hash_map_put(&table->children, key);
    bool blamed = kind == NODE_WOKEN_BY || kind == NODE_FOR_ANOTHER || table->nodes[parent].blamed;
    if (!*known) /* 0, the root, is nobody's child */
        *known = interval_table_new(
            table, (struct table_node){
                       .kind = kind, .parent = parent, .callee = callee, .blamed = blamed});
    uint32_t node = (uint32_t)*known;
    if (kind == NODE_FUNCTION)
        table->nodes[node].kind = NODE_FUNCTION;
    return node;
}

/* The row has the node, and all that is above it. */
static void touch(struct interval_table *table, uint32_t index)
{
    size_t count = table->touched_count;
    for (uint32_t n = index; table->tallies[n].row != table->row; n = table->tallies[n].parent) {
        table->tallies[n].row = table->row;
        table->touched_count++;
    }
    for (size_t i = table->touched_count; i > count; index = table->tallies[index].parent)
        table->touched[--i] = index;
}

void interval_table_add(struct interval_table *table, uint32_t index, time_ns ns)
{
    touch(table, index);
    table->tallies[index].extra_ns += ns;
}

/* What is below a node is closed before it. */
static struct path_cell close_node(struct interval_table *table, uint32_t node)
{
    struct table_tally *tally = &table->tallies[node];
    struct table_tally *parent = &table->tallies[tally->parent];
    time_ns extra = tally->extra_ns, total = tally->run_ns + extra, own = total - tally->below_ns;
    tally->run_ns = tally->extra_ns = tally->below_ns = 0;
    parent->below_ns += total;
    parent->extra_ns += extra;
    return (struct path_cell){node, total, own};
}

time_ns interval_table_close(struct interval_table *table)
{
    time_ns sum = 0, least = 0;
    size_t count = table->touched_count;
    for (size_t i = 0; i < count; i++) {
        struct path_cell cell = close_node(table, table->touched[count - 1 - i]);
        table->cells[i] = cell;
        least |= cell.own_ns;
        sum += cell.own_ns;
    }
    if (least < 0)
        BUG("more was taken from a node's time than was added");
    struct table_tally *root = &table->tallies[TABLE_ROOT]; /* its own parent */
    root->extra_ns = root->below_ns = 0;
    table->cell_count = count;
    table->touched_count = 0;
    table->row++;
    return sum;
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
        tally_join(&table->tallies[node_of[n]], &part->tallies[n]);
    }
    return node_of;
}

/* What those below it took is not a node's own. */
static void join_totals(struct interval_table *table, const struct table_part *part,
                        const struct path_block *block, bool by_block)
{
    for (uint32_t p = 0; p < part->sums.path_count; p++) {
        const __int128 *sums = path_sums_in(&part->sums, block, p);
        if (!sums || path_sums_by_block(&part->sums, p) != by_block)
            continue;
        uint32_t node = part->node_of[p];
        table->nodes[node].own_ns += sums[PATH_SUM];
        if (node != TABLE_ROOT)
            table->nodes[table->nodes[node].parent].own_ns -= sums[PATH_SUM];
    }
}

void interval_table_join(struct interval_table *table, struct interval_table *part,
                         const uint32_t *callee_of)
{
    struct table_part joined = {part->sums, join_nodes(table, part, callee_of)};
    VEC_PUSH(table->parts, table->part_count, table->part_capacity) = joined;
    path_sums_init(&part->sums);
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++)
        join_totals(table, &joined, &joined.sums.blocks[b], true);
    join_totals(table, &joined, &joined.sums.rest, false);
}
