/* row_columns.h - some rows of an interval table side by side: a column of times for each node.
 *
 *                   row 0  row 1  ...  row 63       rows that have the node
 *     interval        120   2230         118        1111...1
 *       serve         120   2230         118        1111...1
 *         parse        40      0          39        1011...1
 *         lock          0   2110           0        0100...0
 *
 *     row_columns_put(&columns, leaf, ns); ...              to the open row
 *     more = row_columns_close(&columns, latency, tail);    there is room for another row
 *     while (row_columns_next(&columns)) {                  siblings: columns.nodes
 *         row_columns_at(&columns, node), columns.masks[node] ...
 *         row_columns_fold(&columns);                       added to their parent, and gone
 *     }                                                     the root is the last: no rows are left
 *
 * Borrows the places. One thread at a time.
 */
#ifndef VARIANCE_ROW_COLUMNS_H
#define VARIANCE_ROW_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variance/lanes.h"

/* A node's place among its siblings, which stand side by side. */
struct sibling {
    uint32_t parent; /* of the root: itself */
    uint32_t pair;   /* the covariance with the next sibling; those with further ones follow */
};

/* A sibling that one row has. */
struct row_sibling {
    uint32_t node;
    uint64_t ns;
};

struct row_columns {
    const struct sibling *places; /* by node */
    const struct lanes *lanes;
    uint32_t node_count;
    uint32_t height, row_count;         /* rows that there is room for, and that there are */
    uint64_t *ones, *latencies, *times; /* columns: of 1, of the rows, one for each node */
    uint64_t *masks;                    /* by node: the rows that have it */
    uint64_t *seen;                     /* by node, a bit each: some row has it */
    uint32_t word;                      /* of those bits: behind it there are no more */
    uint32_t *nodes;                    /* siblings that some row has, descending */
    uint32_t count;
    struct row_sibling *met; /* room for as many */
    uint64_t tail;           /* rows */
    uint64_t square;         /* of the latencies, added up: no sum of products is greater */
    bool wide;               /* that is more than 64 bits */
};

void row_columns_init(struct row_columns *columns, const struct sibling *places,
                      uint32_t node_count);
void row_columns_release(struct row_columns *columns);

static inline uint64_t *row_columns_at(const struct row_columns *columns, uint32_t node)
{
    return columns->times + (size_t)node * columns->height;
}

/* What a row has not is 0. Several times of one leaf in a row are added up. */
static inline void row_columns_put(struct row_columns *columns, uint32_t leaf, uint64_t ns)
{
    row_columns_at(columns, leaf)[columns->row_count] += ns;
    columns->masks[leaf] |= UINT64_C(1) << columns->row_count;
    columns->seen[leaf / 64] |= UINT64_C(1) << leaf % 64;
}

bool row_columns_close(struct row_columns *columns, uint64_t latency, bool tail);
bool row_columns_next(struct row_columns *columns);
void row_columns_fold(struct row_columns *columns);

/* Whether a node has so few rows, one or two, that they are better taken one by one. */
static inline bool row_columns_few(uint64_t mask)
{
    mask &= mask - 1;
    return !(mask & (mask - 1));
}

static inline uint32_t row_columns_steps(const struct row_columns *columns)
{
    return (columns->row_count + LANES - 1) / LANES;
}

#endif
