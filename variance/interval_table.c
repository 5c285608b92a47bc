#include "variance/interval_table.h"

#include "base/error.h"
#include "base/memory.h"
#include "symbol/callee_table.h"

static uint32_t level_of(const struct interval_table *table, const struct table_node *node)
{
    const struct table_node *parent =
        node->parent == NODE_NONE ? node : &table->nodes[node->parent];
    bool again = parent != node && parent->callee == node->callee &&
                 node_kind_is_callable(node->kind) &&
                 node_kind_of_call(parent->kind) == node_kind_of_call(node->kind);
    return again ? parent->level + 1 : 1;
}

static uint32_t interval_table_new(struct interval_table *table, struct table_node node,
                                   bool blamed)
{
    uint32_t capacity = table->node_capacity, index = table->node_count;
    if (table->node_count == TABLE_MOST_NODES)
        BUG("more call paths than can be numbered");
    node.level = level_of(table, &node);
    VEC_PUSH(table->nodes, table->node_count, table->node_capacity) = node;
    if (table->node_capacity != capacity) {
        size_t room = table->node_capacity;
        table->extras = memory_resize(table->extras, sizeof *table->extras * room);
        table->listed = memory_resize(table->listed, sizeof *table->listed * room);
        table->cells = memory_resize(table->cells, sizeof *table->cells * room);
    }
    table->extras[index] = (struct table_extra){0};
    path_sums_meet(&table->sums, index == TABLE_ROOT ? TABLE_ROOT : node.parent, blamed);
    probe_time_meet(&table->probes, &table->sums, index, node_kind_is_callable(node.kind));
    if (table->callees) {
        uint32_t name = index == TABLE_ROOT ? 0 : callee_name(table->callees, node.callee);
        column_sums_meet(&table->columns, &table->sums, node.kind, node.callee, name);
    }
    return index;
}

void interval_table_init(struct interval_table *table, struct callee_table *callees)
{
    *table = (struct interval_table){.row = 1, .callees = callees};
    path_sums_init(&table->sums);
    struct table_node root = {.kind = NODE_INTERVAL, .parent = NODE_NONE, .callee = UINT32_MAX};
    interval_table_new(table, root, false);
}

static void release_open(struct interval_table *table)
{
    memory_free(table->extras);
    memory_free(table->listed);
    memory_free(table->cells);
    probe_time_release(&table->probes);
    table->extras = NULL;
    table->listed = NULL;
    table->cells = NULL;
    hash_map_release(&table->children);
}

void interval_table_finish(struct interval_table *table)
{
    path_sums_finish(&table->sums);
    release_open(table);
}

void interval_table_release(struct interval_table *table)
{
    release_open(table);
    for (uint32_t i = 0; i < table->part_count; i++) {
        path_sums_release(&table->parts[i].sums);
        column_sums_release(&table->parts[i].columns);
        memory_free(table->parts[i].node_of);
    }
    path_sums_release(&table->sums);
    column_sums_release(&table->columns);
    memory_free(table->parts);
    memory_free(table->nodes);
}

uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee)
{
    unsigned class = node_kind_of_call(kind);
    uint64_t key = (uint64_t)parent << 32 | callee << TABLE_KIND_BITS | class;
    uint64_t *known = hash_map_put(&table->children, key);
    bool blamed =
        kind == NODE_WOKEN_BY || kind == NODE_FOR_ANOTHER || table->sums.paths[parent].blamed;
    if (!*known) /* 0, the root, is nobody's child */
        *known = interval_table_new(
            table, (struct table_node){.kind = kind, .parent = parent, .callee = callee}, blamed);
    uint32_t node = (uint32_t)*known;
    if (kind == NODE_FUNCTION)
        table->nodes[node].kind = NODE_FUNCTION;
    return node;
}

/* The node is listed, and before it all that is above it. */
static void list_extra(struct interval_table *table, uint32_t index)
{
    const struct path_slot *paths = table->sums.paths; /* there the root is its own parent */
    size_t count = table->listed_count;
    for (uint32_t n = index; table->extras[n].row != table->row; n = paths[n].parent) {
        table->extras[n].row = table->row;
        table->listed_count++;
    }
    for (size_t i = table->listed_count; i > count; index = paths[index].parent)
        table->listed[--i] = index;
}

void interval_table_add(struct interval_table *table, uint32_t index, time_ns ns)
{
    list_extra(table, index);
    table->extras[index].ns += ns;
}

void interval_table_leaf(struct interval_table *table, uint32_t below, enum node_kind kind,
                         uint32_t callee, uint32_t site, time_ns ns)
{
    if (ns <= 0)
        return;
    uint32_t node = interval_table_node(table, below, kind, callee);
    interval_table_add(table, node, ns);
    interval_table_count(table, node, site);
}

/* The time of probes is taken only from what runs: the own time of a wait is a wait. The leaf takes
 * it, and its parent has as much less for itself. */
static void take_probes(struct interval_table *table, const struct probe_cost *cost)
{
    enum node_kind kind = table->nodes[cost->path].kind;
    time_ns own = path_sums_own(&table->sums, cost->path);
    if (own <= 0 || !(kind == NODE_INTERVAL || node_kind_is_callable(kind)))
        return;
    uint32_t node = table->probes.leaf_of[cost->path];
    if (!node) {
        node = interval_table_node(table, cost->path, NODE_PROBES, table->probes.callee);
        table->probes.leaf_of[cost->path] = node;
    }
    struct path_share share = {table->sums.paths[node].place, cost->calls,
                               cost->ns < own ? cost->ns : own};
    path_sums_take(&table->sums, &share, 1);
}

static void take_all_probes(struct interval_table *table, time_ns latency)
{
    struct probe_cost cost;
    uint32_t count = probe_time_families(&table->probes, &table->sums);
    for (uint32_t i = 0; i < count; i++)
        if (probe_time_of_family(&table->probes, &table->sums, i, latency, &cost))
            take_probes(table, &cost);
}

/* Each node has what is below it, too. */
static void close_row(struct interval_table *table, time_ns latency)
{
    struct path_sums *sums = &table->sums;
    for (size_t i = table->listed_count; i-- > 0;) {
        uint32_t node = table->listed[i];
        time_ns ns = table->extras[node].ns;
        table->extras[node].ns = 0;
        struct path_share share = {sums->paths[node].place, 0, ns};
        path_sums_take(sums, &share, 1);
        if (node != TABLE_ROOT)
            table->extras[sums->paths[node].parent].ns += ns;
    }
    table->listed_count = 0;
    table->row++;
    if (sums->x.items[sums->paths[TABLE_ROOT].place] != (uint64_t)latency)
        BUG("the times on a critical path do not sum to the interval's latency");
    take_all_probes(table, latency);
}

void interval_table_close(struct interval_table *table, time_ns latency, bool tail)
{
    close_row(table, latency);
    column_sums_close(&table->columns, &table->sums, latency, tail);
    path_sums_close(&table->sums, latency, tail);
}

void interval_table_list(struct interval_table *table, time_ns latency)
{
    const struct path_sums *sums = &table->sums;
    table->cell_count = 0;
    close_row(table, latency);
    for (uint32_t m = 0; m < sums->met_count; m++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t place = sums->met[m] * LANES + lane;
            time_ns own = sums->x.items[place] ? path_sums_own(sums, sums->path_at[place]) : 0;
            if (own < 0)
                BUG("more was taken from a node's time than was added");
            if (own)
                table->cells[table->cell_count++] = (struct table_cell){sums->path_at[place], own};
        }
    path_sums_drop(&table->sums);
}

static void node_join(struct table_node *node, const struct table_node *part, uint64_t calls)
{
    node->calls += calls;
    node->blocked |= part->blocked;
    if (part->site && (!node->site || part->site < node->site))
        node->site = part->site;
}

/* The nodes of the part are taken over; the result is their numbers in the table. */
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
        node_join(&table->nodes[node_of[n]], from,
                  part->sums.calls.items[part->sums.paths[n].place]);
    }
    return node_of;
}

/* A node does not own what those below it took. */
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
    struct table_part joined = {part->sums, part->columns, join_nodes(table, part, callee_of)};
    for (uint32_t c = 0; c < joined.columns.count; c++)
        joined.columns.columns[c].callee = callee_of[joined.columns.columns[c].callee];
    part->columns = (struct column_sums){0};
    VEC_PUSH(table->parts, table->part_count, table->part_capacity) = joined;
    path_sums_init(&part->sums);
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++)
        join_totals(table, &joined, &joined.sums.blocks[b], true);
    join_totals(table, &joined, &joined.sums.rest, false);
}
