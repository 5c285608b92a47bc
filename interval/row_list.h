/* row_list.h - which intervals are analysed: a row each, in order of begin, and their blocks.
 *
 *     row         0   1   2   3   4   5        those that are complete
 *     interval    0   2   3   4   7   8
 *     block       0   0   0   1   1   1        as stats/jackknife.h numbers them
 */
#ifndef INTERVAL_ROW_LIST_H
#define INTERVAL_ROW_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "trace/timeline.h"

struct row_list {
    uint32_t *intervals; /* by row: index in the timelines */
    size_t count, left_out;
    uint32_t blocks;
};

void row_list_init(struct row_list *rows, const struct timelines *run);
/* Those of a type. */
void row_list_init_of_type(struct row_list *rows, const struct timelines *run, const char *type);
/* All but the `count` slowest; of equals the earlier ones are slower. */
void row_list_init_without(struct row_list *rows, const struct timelines *run, size_t count);
void row_list_release(struct row_list *rows);

/* The first row of a block; that of the block behind the last one is the count. */
size_t row_list_block(const struct row_list *rows, uint32_t block);

static inline time_ns row_list_latency(const struct row_list *rows, const struct timelines *run,
                                       size_t row)
{
    const struct interval *interval = &run->intervals[rows->intervals[row]];
    return interval->end - interval->begin;
}

#endif
