/* cell_rows.h - the table behind a variance tree, row by row: what each leaf took of each interval.
 *
 *     row 0   interval 17   leaf 4: 120 ns, leaf 9: 40 ns      cells add up to the latency
 *     row 1   interval 18   leaf 4: 118 ns, leaf 7: 2210 ns    what is not there is 0
 *
 * In nodes of the tree, for an engine that computes the same moments, or others. Rows come in the
 * order of the intervals. Walks the critical paths once more.
 */
#ifndef VARIANCE_CELL_ROWS_H
#define VARIANCE_CELL_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/function_table.h"
#include "variance/variance_tree.h"

struct timelines;
struct row_list;

struct cell {
    uint32_t node; /* a leaf; each once in a row */
    int64_t own_ns;
};

struct cell_row {
    uint64_t number;   /* 0, 1, ... */
    uint32_t interval; /* index in the timelines */
    const struct cell *cells;
    size_t cell_count;
};

/* Calls `take` for each row; its cells are valid until it returns. Of the run and functions that
 * gave `tree`. */
void cell_rows_visit(const struct variance_tree *tree, const struct timelines *run,
                     const struct function_table *functions,
                     void (*take)(void *context, const struct cell_row *row), void *context);
/* The same of some rows alone, which are among those that gave `tree`; they are numbered anew. */
void cell_rows_visit_some(const struct variance_tree *tree, const struct timelines *run,
                          const struct function_table *functions, const struct row_list *rows,
                          void (*take)(void *context, const struct cell_row *row), void *context);

#endif
