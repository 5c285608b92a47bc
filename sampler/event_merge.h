/* event_merge.h - what happened on all processors, in order of time.
 *
 *     processor 0   1   4 9 | 12       what is younger than `until` may still be overtaken by what
 *     processor 1    2 3  8 | 11       another processor is just writing: it stays where it is
 *
 *     event_merge_look(&merge, until_ns);
 *     while (event_merge_next(&merge, &event)) ...
 */
#ifndef SAMPLER_EVENT_MERGE_H
#define SAMPLER_EVENT_MERGE_H

#include "sampler/kernel_event.h"
#include "sampler/ring.h"

struct event_head {
    struct kernel_event event;
    bool there;
};

struct event_merge {
    struct ring *rings; /* by place; borrowed */
    struct event_head *heads;
    uint32_t count;
    const struct event_layout *layout;
    uint64_t from_ns; /* what was before is left out */
    uint64_t until_ns;
};

void event_merge_init(struct event_merge *merge, struct ring *rings, uint32_t count,
                      const struct event_layout *layout);
void event_merge_look(struct event_merge *merge, uint64_t until_ns);
bool event_merge_next(struct event_merge *merge, struct kernel_event *event);
void event_merge_release(struct event_merge *merge);

#endif
