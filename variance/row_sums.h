/* row_sums.h - rows of an interval table, unfolded over the nodes of a tree and added up.
 *
 *     cells      parse 40, lock 80
 *     unfolded   interval 120, serve 120, parse 40, lock 80       each node: the sum below it
 *     added      x, x*x, x*L of each node; x*y of each pair of siblings
 *
 *     struct row_sums sums;
 *     row_sums_init(&sums, places, node_count, pair_count);
 *     row_sums_add(&sums, cells, count, leaf_of, latency, tail); ...
 *     row_sums_settle(&sums);  sums.moments, sums.products ...   row_sums_clear(&sums);
 *     row_sums_release(&sums);
 *
 * The sums are exact. Borrows the places. One thread at a time.
 */
#ifndef VARIANCE_ROW_SUMS_H
#define VARIANCE_ROW_SUMS_H

#include "variance/table_reader.h"

/* A node's place among its siblings, which stand side by side. */
struct sibling {
    uint32_t parent; /* of the root: itself */
    uint32_t pair;   /* the covariance with the next sibling; those with further ones follow */
};

/* Of as many rows as fit in 64 bits. */
struct short_moments {
    uint64_t sum, square, latency;
};

struct row_sums {
    const struct sibling *places; /* by node */
    uint32_t node_count, pair_count;
    time_ns *inclusive; /* by node; 0 between rows */
    uint64_t *seen;     /* by node, a bit each; 0 between rows */
    uint32_t *nodes;    /* those that the row touches, descending */
    uint64_t *times;    /* of each of them, inclusive */
    uint32_t count;
    struct short_moments *short_moments; /* by node */
    uint64_t *short_products;            /* by pair */
    uint64_t short_square;               /* of the root; no sum is greater */
    uint64_t row_count;
    struct moments *moments; /* of all other rows, by node */
    __int128 *products;      /* by pair */
};

void row_sums_init(struct row_sums *sums, const struct sibling *places, uint32_t node_count,
                   uint32_t pair_count);
void row_sums_release(struct row_sums *sums);
/* `leaf_of` says which leaf a cell's node is in the tree. A row of the tail is added to it, too. */
void row_sums_add(struct row_sums *sums, const struct table_cell *cells, size_t count,
                  const uint32_t *leaf_of, time_ns latency, bool tail);
/* All that was added is in `moments` and `products`. */
void row_sums_settle(struct row_sums *sums);
void row_sums_clear(struct row_sums *sums);

#endif
