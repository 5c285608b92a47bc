/* interval_table.h - where an interval spent its time: a row, with a column for each path.
 *
 *                 serve   serve/parse   serve/lock/wake-up latency
 *   interval 0      120          40              0                   own time of a path in ns:
 *   interval 1      118           0           2210                   a row sums to its latency
 *
 * A path is a node and its ancestors: (parent, kind, callee). A function and a call of it are one
 * node. One row is open at a time. Closed, it is added up (variance/path_sums.h), or listed: a cell
 * for each node that took time.
 *
 * Several threads fill a table each, of which one is made.
 */
#ifndef VARIANCE_INTERVAL_TABLE_H
#define VARIANCE_INTERVAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/timeline.h"
#include "variance/column_sums.h"
#include "variance/node_kind.h"
#include "variance/path_sums.h"
#include "variance/probe_time.h"

struct callee_table;

#define TABLE_ROOT 0u
#define TABLE_MOST_NODES (UINT32_MAX >> 1)

struct table_node {
    __int128 own_ns; /* of all joined rows */
    uint64_t calls;  /* the same */
    enum node_kind kind;
    uint32_t parent; /* stands before its children */
    uint32_t callee; /* number in the callee table; of the root: UINT32_MAX */
    uint32_t site;   /* the least probe that it was met through, or 0 */
    uint32_t level;  /* how many of its callee are right above it, with it */
    bool blocked;    /* a call that a thread was blocked in */
};

/* A node took so much of the open row that those above it do not have yet. */
struct table_extra {
    time_ns ns;
    uint64_t row; /* that the node is listed in */
};

struct table_cell {
    uint32_t node;
    time_ns own_ns;
};

enum { TABLE_KIND_BITS = 4 };

/* A part is what one thread added up. */
struct table_part {
    struct path_sums sums;
    struct column_sums columns; /* of callees of the table that it was joined to */
    uint32_t *node_of;          /* by path of the sums */
};

struct interval_table {
    struct table_node *nodes;
    struct table_extra *extras; /* by node; has room for as many */
    uint32_t node_count, node_capacity;
    struct hash_map children; /* (parent, kind, callee) -> node */
    uint64_t row;             /* that is open, from 1 */
    uint32_t *listed;         /* nodes that have an extra, what is above before what is below; has
                                 room for all nodes */
    size_t listed_count;
    struct table_cell *cells; /* of the row that was listed last; has room for all nodes */
    size_t cell_count;
    struct path_sums sums; /* of its own rows; paths are nodes */
    struct probe_time probes;
    struct callee_table *callees;
    struct column_sums columns; /* the same, where callees have names */
    struct table_part *parts;   /* of those that were joined */
    uint32_t part_count, part_capacity;
};

/* A table that has the names of its callees adds up what is of one name, too; NULL: it does not. */
void interval_table_init(struct interval_table *table, struct callee_table *callees);
void interval_table_release(struct interval_table *table);

/* A function and a call of it are one. */
uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee);

/* `ns` of the open row, if any, are a leaf's, met through probe `site`, or 0. */
void interval_table_leaf(struct interval_table *table, uint32_t below, enum node_kind kind,
                         uint32_t callee, uint32_t site, time_ns ns);

/* A call of `callee` by a node of it is no node of its own any more if it is deep: see
 * TREE_LEVELS. */
static inline bool interval_table_is_deep(const struct interval_table *table, uint32_t parent,
                                          uint32_t callee)
{
    const struct table_node *node = &table->nodes[parent];
    return node->level >= TREE_LEVELS && node->callee == callee;
}

/* A node was met through a probe, or 0. */
static inline void interval_table_meet(struct interval_table *table, uint32_t index, uint32_t site)
{
    struct table_node *node = &table->nodes[index];
    if (site && (!node->site || site < node->site))
        node->site = site;
}

/* A node occurred once more. */
static inline void interval_table_count(struct interval_table *table, uint32_t index, uint32_t site)
{
    table->sums.calls.items[table->sums.paths[index].place]++;
    interval_table_meet(table, index, site);
}

/* The open row has more of a node, and so of all that is above it; it may be less than nothing for
 * a while. A call's running time is its node's alone (path_sums_take): it is told of the calls
 * around it, too. */
void interval_table_add(struct interval_table *table, uint32_t index, time_ns ns);

/* The row is closed: added up, as one of the tail or not, or listed. The latency is the sum of its
 * cells. */
void interval_table_close(struct interval_table *table, time_ns latency, bool tail);
void interval_table_list(struct interval_table *table, time_ns latency);
/* The table gets no more rows: it keeps what is needed to join it. */
void interval_table_finish(struct interval_table *table);
/* The table takes what `part` has added up; callee i of the part is callee_of[i]. */
void interval_table_join(struct interval_table *table, struct interval_table *part,
                         const uint32_t *callee_of);

#endif
