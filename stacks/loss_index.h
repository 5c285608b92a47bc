/* loss_index.h - whether hits of points were lost in a time.
 *
 *     struct loss_index index;
 *     loss_index_init(&index, losses, count);       by their ends (trace/point.h); copied
 *     if (loss_index_meets(&index, from, until)) ...
 *     loss_index_release(&index);
 *
 * O(log n) for each question.
 */
#ifndef STACKS_LOSS_INDEX_H
#define STACKS_LOSS_INDEX_H

#include <stddef.h>

#include "trace/point.h"

struct loss_index {
    struct point_loss *items; /* by their ends; each has the earliest begin of all from it on */
    size_t count;
};

void loss_index_init(struct loss_index *index, const struct point_loss *losses, size_t count);
bool loss_index_meets(const struct loss_index *index, time_ns from, time_ns until);
void loss_index_release(struct loss_index *index);

#endif
