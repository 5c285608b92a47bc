/* leaf_times.h - intervals on one thread in which each leaf takes the times of a table.
 *
 *     struct leaf leaves[] = {{"A", {10, 10, 12}}, {"A/B", {1, 2, 3}}};
 *     leaf_times_build(&b, leaves, 2, 3);             three intervals; A's own times, and B below A
 *
 * Functions are those of the builder with these names; each gets a probe. "" is the root's own.
 */
#ifndef TESTS_LEAF_TIMES_H
#define TESTS_LEAF_TIMES_H

#include "run_builder.h"

enum { LEAF_INTERVALS = 2000 }; /* at the most */

struct leaf {
    const char *path;
    time_ns ns[LEAF_INTERVALS];
};

/* Leaves in depth-first order: a path stands before those below it. */
void leaf_times_build(struct run_builder *b, const struct leaf *leaves, uint32_t leaf_count,
                      uint32_t interval_count);

#endif
