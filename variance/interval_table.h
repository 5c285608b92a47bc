/* interval_table.h - where an interval spent its time: a row, with a column for each path.
 *
 *                 serve   serve/parse   serve/lock/wake-up latency
 *   interval 0      120          40              0                   own time of a path in ns:
 *   interval 1      118           0           2210                   a row sums to its latency
 *
 * A path is a node and its ancestors: (parent, kind, callee). A function and a call of it are one
 * node. One row is open at a time; closed, it is a list of cells, until the next one is. What is
 * added up of all rows is in `sums`.
 *
 * Several threads fill a table each, of which one is made.
 */
#ifndef VARIANCE_INTERVAL_TABLE_H
#define VARIANCE_INTERVAL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "trace/timeline.h"
#include "variance/path_sums.h"
#include "variance/variance_tree.h"

#define TABLE_ROOT 0u
#define TABLE_MOST_NODES (UINT32_MAX >> 1)

struct table_node {
    __int128 own_ns; /* of all joined rows */
    enum node_kind kind;
    uint32_t parent; /* stands before its children */
    uint32_t callee; /* number in the callee table; of the root: UINT32_MAX */
    bool blamed;     /* a waker's, or what hangs below it */
};

/* What is said of a node with each call and row, apart so that those of all nodes stay in a near
 * cache. */
struct table_tally {
    time_ns run_ns;   /* of the open row: running time of calls, with the calls in them */
    time_ns extra_ns; /* of the open row: what else it took, without what is below it */
    time_ns below_ns; /* of the row that is being closed */
    uint64_t calls;
    uint32_t row; /* that the node was last touched in, from 1 */
    uint32_t parent;
    uint32_t site; /* the least probe that it was met through, or 0 */
};

enum { TABLE_KIND_BITS = 4 };

/* What one thread added up. */
struct table_part {
    struct path_sums sums;
    uint32_t *node_of; /* by path of the sums */
};

struct interval_table {
    struct table_node *nodes;
    struct table_tally *tallies; /* by node; has room for as many */
    uint32_t node_count, node_capacity;
    struct hash_map children; /* (parent, kind, callee) -> node */
    uint32_t row;             /* that is open, from 1 */
    uint32_t *touched;        /* nodes of the open row, what is above before what is below; has room
                                 for all nodes and one more */
    size_t touched_count;
    struct path_cell *cells; /* of the row that was closed last; what is below comes before what is
                                above */
    size_t cell_count;
    struct path_sums sums;    /* of its own rows */
    struct table_part *parts; /* of those that were joined */
    uint32_t part_count, part_capacity;
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

/* A call below a node that the open row has ran for so long, and took it from that node. Whether a
 * row has a node already is a toss: so it is listed in any case, and what is listed twice is
 * overwritten. */
static inline void interval_table_run(struct interval_table *table, uint32_t index, time_ns ns)
{
    struct table_tally *node = &table->tallies[index];
    table->touched[table->touched_count] = index;
    table->touched_count += node->row != table->row;
    node->run_ns += ns;
    node->row = table->row;
}

/* The open row has more of a node, and so of all that is above it. Less is to be found there by
 * the time when the row is closed. */
void interval_table_add(struct interval_table *table, uint32_t index, time_ns ns);

/* Closes the row; the sum of its cells. */
time_ns interval_table_close(struct interval_table *table);
/* Takes what `part` has added up; callee i of the part is callee_of[i]. */
void interval_table_join(struct interval_table *table, struct interval_table *part,
                         const uint32_t *callee_of);

#endif
