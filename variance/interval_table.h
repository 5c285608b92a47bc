/* interval_table.h - where each interval spent its time: one row for each, a column for each path.
 *
 *                 serve   serve/parse   serve/lock/wake-up latency
 *   interval 0      120          40              0                   own time of a path in ns:
 *   interval 1      118           0           2210                   a row sums to its latency
 *
 * A path is a node and its ancestors: (parent, kind, callee). A function and a call of it are one
 * node. Cells that are 0 are not stored. The inclusive time of a node is that of its cell and of
 * all cells below it. Owns everything. The cells, by far the most of it, are read row by row with a
 * table_reader.
 */
#ifndef VARIANCE_INTERVAL_TABLE_H
#define VARIANCE_INTERVAL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/timeline.h"
#include "variance/row_log.h"
#include "variance/variance_tree.h"

#define TABLE_ROOT 0u

struct table_node {
    enum node_kind kind;
    uint32_t parent; /* stands before its children */
    uint32_t callee; /* number in the callee table; of the root: UINT32_MAX */
    uint32_t site;   /* the least probe that it was met through, or 0 */
    uint64_t calls;
    __int128 own_ns; /* of all closed rows */
};

/* Of a node, in the open row. */
struct table_open {
    time_ns ns;
    size_t row; /* that the node was last touched in, from 1 */
};

struct table_row {
    uint32_t interval; /* index in the timelines */
    uint32_t cell_count;
};

enum { TABLE_RECENT = 2048, TABLE_KIND_BITS = 4 };

/* A child that was asked for. */
struct table_child {
    uint64_t key; /* as in `children` */
    uint32_t node;
};

struct interval_table {
    struct table_node *nodes;
    uint32_t node_count, node_capacity;
    struct hash_map children;   /* (parent, kind, callee) -> node */
    struct table_child *recent; /* by some bits of the key */
    struct table_row *rows;
    size_t row_count, row_capacity;
    struct row_log cells;
    struct table_open *open; /* by node */
    uint32_t open_capacity;
    uint32_t *touched; /* nodes of the open row */
    size_t touched_count, touched_capacity;
};

static inline struct table_child *table_recent(const struct interval_table *table, uint64_t key)
{
    return &table->recent[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (TABLE_RECENT - 1)];
}

void interval_table_init(struct interval_table *table);
void interval_table_release(struct interval_table *table);

/* A function and a call of it share a place. */
static inline uint64_t table_key(uint32_t parent, enum node_kind kind, uint32_t callee)
{
    unsigned class = kind == NODE_FUNCTION ? NODE_CALL : kind;
    return (uint64_t)parent << 32 | callee << TABLE_KIND_BITS | class;
}

uint32_t interval_table_seek(struct interval_table *table, uint64_t key, enum node_kind kind);

static inline uint32_t interval_table_node(struct interval_table *table, uint32_t parent,
                                           enum node_kind kind, uint32_t callee)
{
    uint64_t key = table_key(parent, kind, callee);
    const struct table_child *recent = table_recent(table, key);
    if (recent->key == key && recent->node && table->nodes[recent->node].kind == kind)
        return recent->node;
    return interval_table_seek(table, key, kind);
}

/* One more occurrence, met through a probe or 0. */
static inline void interval_table_count(struct interval_table *table, uint32_t index, uint32_t site)
{
    struct table_node *node = &table->nodes[index];
    node->calls++;
    if (site && (!node->site || site < node->site))
        node->site = site;
}

/* To the open row. What is taken away again (ns < 0) must have been added by its end. */
static inline void interval_table_add(struct interval_table *table, uint32_t node, time_ns ns)
{
    struct table_open *open = &table->open[node];
    if (open->row == table->row_count + 1) {
        open->ns += ns;
        return;
    }
    *open = (struct table_open){ns, table->row_count + 1};
    VEC_PUSH(table->touched, table->touched_count, table->touched_capacity) = node;
}
/* Closes the row of `interval`; the sum of its cells. */
time_ns interval_table_close(struct interval_table *table, uint32_t interval);

#endif
