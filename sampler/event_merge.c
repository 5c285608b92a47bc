#include "sampler/event_merge.h"

#include "base/memory.h"

void event_merge_init(struct event_merge *merge, struct ring *rings, uint32_t count,
                      const struct event_layout *layout)
{
    *merge = (struct event_merge){.rings = rings,
                                  .count = count,
                                  .layout = layout,
                                  .heads = memory_zeroed(count * sizeof *merge->heads)};
}

static void fill_head(struct event_merge *merge, uint32_t place)
{
    struct event_head *head = &merge->heads[place];
    const struct perf_event_header *header;
    while (!head->there && (header = ring_peek(&merge->rings[place])) != NULL) {
        head->there = kernel_event_decode(&head->event, merge->layout, header) &&
                      head->event.time_ns >= merge->from_ns;
        ring_pop(&merge->rings[place]);
    }
}

void event_merge_look(struct event_merge *merge, uint64_t until_ns)
{
    merge->until_ns = until_ns;
    for (uint32_t i = 0; i < merge->count; i++) {
        ring_look(&merge->rings[i]);
        fill_head(merge, i);
    }
}

/* There are as many heads as processors: to look at each is cheap beside a system call's work. */
bool event_merge_next(struct event_merge *merge, struct kernel_event *event)
{
    uint32_t first = merge->count;
    uint64_t time_ns = merge->until_ns;
    for (uint32_t i = 0; i < merge->count; i++)
        if (merge->heads[i].there && merge->heads[i].event.time_ns <= time_ns) {
            first = i;
            time_ns = merge->heads[i].event.time_ns;
        }
    if (first == merge->count)
        return false;
    *event = merge->heads[first].event;
    merge->heads[first].there = false;
    fill_head(merge, first);
    return true;
}

void event_merge_release(struct event_merge *merge)
{
    memory_free(merge->heads);
    *merge = (struct event_merge){0};
}
