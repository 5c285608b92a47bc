/* size_groups.h - the requests of a run by the size of what each worked on.
 *
 *     struct size_groups groups;
 *     if (size_groups_choose(&groups, run, "bytes"))
 *         groups.items[0]            520 requests of 90 .. 110 bytes, 99.7 in the geometric mean
 *     size_groups_release(&groups);
 *
 * The size is a value of the requests: what SI_VALUE told of them, or what was read at the beginning of those by
 * descriptor (request_set.h). Groups are as large as each other, but for requests of one size, which are never parted; those of few
 * sizes have a group each. A group's size is the geometric mean, as laws of growth are fitted to logarithms.
 */
#ifndef STACKS_SIZE_GROUPS_H
#define STACKS_SIZE_GROUPS_H

#include "trace/timeline.h"

enum {
    SIZE_GROUPS_MOST = 8,
    SIZE_GROUP_LEAST = 20 /* requests (chosen): what those of fewer take is mostly chance */
};

struct size_group {
    double size;
    int64_t from, to;
    uint32_t requests;
    bool *chosen; /* by interval */
};

struct size_groups {
    struct size_group items[SIZE_GROUPS_MOST];
    uint32_t count;
    uint32_t sized; /* complete requests that have the value, and more than 0 of it */
};

/* False: there are no groups, as no complete request has such a value of more than 0. */
bool size_groups_choose(struct size_groups *groups, const struct timelines *run, const char *value);
void size_groups_release(struct size_groups *groups);

#endif
