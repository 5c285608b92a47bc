/* short_lived.h - threads that are made and end while the run goes on, put together to virtual ones that live
 * on.
 *
 *     parent  makes 7         makes 8, 9       makes 10
 *     7               |--------|
 *     8                          |--------|
 *     9                          |---------------------|
 *     10                                          |-----|
 *     virtual 7       |========|=|========|=======|=====|      of 7, 8, 10; 9 is by itself
 *             waits for its parent between
 *
 * As wPerf has it (OSDI'18, 3.3): what one parent makes again and again does not grow with the work that it
 * does, and its parts are too short to be looked at. A virtual thread that has nothing to do waits for its
 * parent, which makes the next one: before its first one, between two, and after its last one, as long as the
 * parent lives. Put together are threads of one parent, one start function where it is known, and one name.
 * A new one takes the place of the first one that has ended before: so many places as live at a time are
 * enough. (wPerf makes batches of those that overlap, however indirectly, and takes the n-th of each: one that
 * lives long makes one batch of all.) A place that only one thread ever has is no virtual thread; nor is one
 * whose threads live for so little of the time that nothing would be gained by having it always there, as the
 * two `cat` of a script that starts a server.
 */
#ifndef WAITS_SHORT_LIVED_H
#define WAITS_SHORT_LIVED_H

#include "waits/vertex_table.h"

/* The least part of the time that a virtual thread's threads live (chosen). */
#define SHORT_LIVED_LEAST 0.1

struct short_lived_gap {
    time_ns from, until;
    uint32_t who, whom; /* vertices */
};

struct short_lived {
    uint32_t *of_task; /* the vertex that each task is */
    struct short_lived_gap *gaps;
    size_t gap_count, gap_capacity;
    uint32_t merged; /* so many threads are of a virtual one */
};

/* Within [from, until]. The vertices are told by `vertices->of_task` from now on, as long as this lives. */
void short_lived_find(struct short_lived *shorts, struct vertex_table *vertices, time_ns from,
                      time_ns until);
void short_lived_release(struct short_lived *shorts);

#endif
