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
 *
 * Several threads fill a table each, of which one is made: rows are either added or joined.
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
#define TABLE_MOST_NODES (UINT32_MAX >> 1)

struct table_node {
    __int128 own_ns; /* of all joined rows */
    enum node_kind kind;
    uint32_t parent; /* stands before its children */
    uint32_t callee; /* number in the callee table; of the root: UINT32_MAX */
};

/* What is said of a node with each call and row, apart so that those of all nodes stay in a near
 * cache. */
struct table_tally {
    time_ns open_ns; /* of the open row */
    uint64_t own_ns; /* of the closed rows of this table, as far as it is not in the node's */
    uint64_t calls;
    uint32_t row;  /* that the node was last touched in, from 1 */
    uint32_t site; /* the least probe that it was met through, or 0 */
};

struct table_row {
    uint32_t interval; /* index in the timelines */
    uint32_t cell_count;
};

enum { TABLE_KIND_BITS = 4 };

/* The cells of rows first_row .. first_row + row_count - 1. */
struct table_cells {
    struct row_log log;
    uint32_t *node_of; /* by number in the log */
    size_t first_row, row_count;
};

struct interval_table {
    struct table_node *nodes;
    struct table_tally *tallies; /* by node; has room for as many */
    uint32_t node_count, node_capacity;
    struct hash_map children; /* (parent, kind, callee) -> node */
    struct table_row *rows;
    size_t row_count, row_capacity;
    struct row_log cells;       /* of its own rows */
    struct table_cells *joined; /* of those that were joined */
    uint32_t joined_count, joined_capacity;
    uint32_t *touched; /* nodes of the open row; has room for all nodes and one more */
    size_t touched_count;
};

void interval_table_init(struct interval_table *table);
void interval_table_release(struct interval_table *table);

/* A function and a call of it are one. */
uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee);

/* Met through a probe, or 0. */
static inline void interval_table_meet(struct interval_table *table, uint32_t index, uint32_t site)
{
    struct table_tally *node = &table->tallies[index];
    if (site && (!node->site || site < node->site))
        node->site = site;
}

/* One more occurrence. */
static inline void interval_table_count(struct interval_table *table, uint32_t index, uint32_t site)
{
    table->tallies[index].calls++;
    interval_table_meet(table, index, site);
}

/* To the open row. Whether a row has a node already is a toss: so it is listed in any case, and
 * what is listed twice is overwritten. */
static inline void interval_table_add(struct interval_table *table, uint32_t index, time_ns ns)
{
    struct table_tally *node = &table->tallies[index];
    uint32_t row = (uint32_t)table->row_count + 1;
    table->touched[table->touched_count] = index;
    table->touched_count += node->row != row;
    node->open_ns += ns;
    node->row = row;
}

/* Takes away what was added to the open row. */
static inline void interval_table_take(struct interval_table *table, uint32_t index, time_ns ns)
{
    table->tallies[index].open_ns -= ns;
}

/* Closes the row of `interval`; the sum of its cells. */
time_ns interval_table_close(struct interval_table *table, uint32_t interval);
/* Takes the rows of `part` behind those it has; callee i of the part is callee_of[i]. When all
 * parts of the rows are joined in their order, the nodes stand as in a table that all rows were
 * added to. */
void interval_table_join(struct interval_table *table, struct interval_table *part,
                         const uint32_t *callee_of);

#endif
