#include "trace/timeline.h"

#include "base/near_search.h"

struct moment {
    const struct timeline_thread *thread;
    time_ns time;
};

static bool label_is_there(const void *moment, size_t i)
{
    const struct moment *m = moment;
    return m->thread->labels[i].time <= m->time;
}

static bool block_is_there(const void *moment, size_t i)
{
    const struct moment *m = moment;
    return m->thread->blocks[i].start <= m->time;
}

int64_t timeline_label_near(const struct timeline_thread *thread, time_ns time, uint32_t *known)
{
    const struct moment moment = {thread, time};
    *known = (uint32_t)near_search(thread->label_count, *known, label_is_there, &moment);
    return (int64_t)*known - 1;
}

int64_t timeline_block_near(const struct timeline_thread *thread, time_ns time, uint32_t *known)
{
    const struct moment moment = {thread, time};
    *known = (uint32_t)near_search(thread->block_count, *known, block_is_there, &moment);
    return (int64_t)*known - 1;
}

int64_t timeline_label_at(const struct timeline_thread *thread, time_ns time)
{
    uint32_t known = thread->label_count;
    return timeline_label_near(thread, time, &known);
}

int64_t timeline_block_before(const struct timeline_thread *thread, time_ns time)
{
    uint32_t known = thread->block_count;
    return timeline_block_near(thread, time, &known);
}
