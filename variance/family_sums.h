/* family_sums.h - what siblings add to the sums behind variances and covariances, over some rows.
 *
 *     family_sums_add(&columns, moments, products);      moments by node, products by pair
 *
 * Adds x, x*x and x*L of each, x*y of each pair; L is the row's latency. Siblings that many rows
 * have are multiplied column by column; where each row has a few of very many, row by row. Exact.
 */
#ifndef VARIANCE_FAMILY_SUMS_H
#define VARIANCE_FAMILY_SUMS_H

#include "variance/row_columns.h"
#include "variance/variance_tree.h"

/* Of the siblings that the columns are at. */
void family_sums_add(const struct row_columns *columns, struct moments *moments,
                     __int128 *products);

#endif
