/* shown_rows.h - what each leaf took of a few intervals that stand for all: what a page can show,
 * and add up again for a part of them.
 *
 *     struct shown_rows shown;
 *     shown_rows_init(&shown, &tree, &run, &functions, 0, &tree.intervals.histogram);
 *     shown.rows[i].latency_ns          its cells add up to it: shown.cells[.first_cell + 0, 1, ...]
 *     shown.strata[shown.rows[i].stratum]          how many it stands for (interval/strata.h)
 *     shown_rows_release(&shown);
 *
 * `bins` is the histogram that is drawn. Of the run, the functions and the number of intervals left out that gave `tree`.
 */
#ifndef VARIANCE_SHOWN_ROWS_H
#define VARIANCE_SHOWN_ROWS_H

#include "interval/strata.h"
#include "variance/cell_rows.h"

enum { SHOWN_ROWS_MOST = 1500 };

struct shown_row {
    time_ns begin_ns; /* since the run's first record */
    time_ns latency_ns;
    uint32_t type; /* of the tree's types, where there are any */
    uint32_t stratum;
    size_t first_cell, cell_count;
};

struct shown_rows {
    struct shown_row *rows; /* in order of begin */
    uint32_t count;
    struct cell *cells;
    struct stratum *strata;
    uint32_t stratum_count;
};

void shown_rows_init(struct shown_rows *shown, const struct variance_tree *tree,
                     const struct timelines *run, const struct function_table *functions,
                     uint32_t without_slowest, const struct histogram *bins);
void shown_rows_release(struct shown_rows *shown);

#endif
