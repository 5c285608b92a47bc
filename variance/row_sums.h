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

#include "variance/row_columns.h"
#include "variance/table_reader.h"

struct row_sums {
    struct row_columns columns; /* of the latest rows, which are not added yet */
    uint32_t pair_count;
    uint64_t row_count;
    struct moments *moments; /* by node */
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
