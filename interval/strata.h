/* strata.h - a few intervals that stand for all: all of the rare ones, some of those that are many.
 *
 *     struct strata strata;
 *     strata_init(&strata, &run, &rows, &summary, &summary.histogram, 1500);
 *     strata.rows                          those that were chosen, in order of begin
 *     strata.of[i]                         the stratum of the i-th of them
 *     strata.items[s].count / .kept        one of it stands for so many
 *     strata_release(&strata);
 *
 * The intervals of a stratum lie in one bin of the histogram, have one type, and are all slow (of
 * the tail) or none is. The slow ones are chosen first, of up to half of the room. Of those that
 * are more than fit, each stratum has the same number or all that it has, evenly over the run. So
 * counts by type and by bins are those of all intervals. The same input gives the same choice.
 */
#ifndef INTERVAL_STRATA_H
#define INTERVAL_STRATA_H

#include "interval/row_list.h"
#include "interval/summary.h"
#include "trace/timeline.h"

struct stratum {
    uint64_t count;
    uint32_t kept;
};

struct strata {
    struct row_list rows;
    uint32_t *of;    /* by row */
    uint32_t *types; /* by row: which of the summary's, or 0 */
    struct stratum *items;
    uint32_t count;
};

void strata_init(struct strata *strata, const struct timelines *run, const struct row_list *rows,
                 const struct interval_summary *summary, const struct histogram *bins,
                 uint32_t most);
void strata_release(struct strata *strata);

#endif
