/* nest.h - from stretches of time in the order of their ends to a tree.
 *
 *     written:   b c a           read back:   a        parent -
 *                                              b       parent a
 *     a |----------------|                     c       parent a
 *     b   |--|  c |---|
 *
 * A stretch takes as its children all stretches before it in the list that have no parent yet and
 * do not start before it does. One that left no record (its frame vanished in a longjmp, or its
 * record was lost) is simply not there: its children go to the next one out.
 *
 * Afterwards: children lie within their parent, siblings do not overlap, start <= end; what stuck
 * out was cut. So the starts are in order in the order of `place`. O(n), no recursion.
 */
#ifndef TRACE_NEST_H
#define TRACE_NEST_H

#include <stdint.h>

#define NEST_NONE UINT32_MAX

struct nest_item {
    int64_t start; /* in, and out after cutting */
    int64_t end;
    uint32_t parent; /* out: index of the parent in the list, or NEST_NONE */
    uint32_t place;  /* out: rank in the order parent first, then its children by start */
};

void nest_build(struct nest_item *items, uint32_t count);

#endif
