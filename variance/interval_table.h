/* interval_table.h - where each interval spent its time: one row for each, a column for each path.
 *
 *                 serve   serve/parse   serve/lock/wake-up latency
 *   interval 0      120          40              0                   own time of a path in ns:
 *   interval 1      118           0           2210                   a row sums to its latency
 *
 * A path is a node and its ancestors: (parent, kind, callee). A function and a call of it are one
 * node. Cells that are 0 are not stored. The inclusive time of a node is that of its cell and of
 * all cells below it. Owns everything.
 */
#ifndef VARIANCE_INTERVAL_TABLE_H
#define VARIANCE_INTERVAL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "trace/timeline.h"
#include "variance/variance_tree.h"

#define TABLE_ROOT 0u

struct table_node {
    enum node_kind kind;
    uint32_t parent; /* stands before its children */
    uint32_t callee; /* number in the callee table; of the root: UINT32_MAX */
    uint32_t site;   /* the least probe that it was met through, or 0 */
    uint64_t calls;
};

struct table_cell {
    uint32_t node;
    time_ns own_ns;
};

struct table_row {
    uint32_t interval; /* index in the timelines */
    size_t first_cell;
    size_t cell_count; /* cells of the open row count when it is closed */
};

struct interval_table {
    struct table_node *nodes;
    uint32_t node_count, node_capacity;
    struct hash_map children; /* (parent, kind, callee) -> node */
    struct table_row *rows;
    size_t row_count, row_capacity;
    struct table_cell *cells;
    size_t cell_count, cell_capacity;
    time_ns *open_ns; /* of the open row, by node */
    uint32_t open_capacity;
    uint32_t *touched; /* nodes of the open row */
    size_t touched_count, touched_capacity;
};

void interval_table_init(struct interval_table *table);
void interval_table_release(struct interval_table *table);

uint32_t interval_table_node(struct interval_table *table, uint32_t parent, enum node_kind kind,
                             uint32_t callee);
/* One more occurrence, met through a probe or 0. */
void interval_table_count(struct interval_table *table, uint32_t node, uint32_t site);
/* To the open row; ns > 0. */
void interval_table_add(struct interval_table *table, uint32_t node, time_ns ns);
/* Closes the row of `interval`; the sum of its cells. */
time_ns interval_table_close(struct interval_table *table, uint32_t interval);

#endif
