#include "waits/running.h"

#include "base/memory.h"

/* Parts of a ns, so that what rounding leaves out is less than 1 ns in a run of 2^32 switches. */
#define PARTS 4294967296.0

struct windowed {
    time_ns ran[CASCADE_WINDOWS];
    double gapp[CASCADE_WINDOWS];
};

struct processor_now {
    uint32_t processor, next; /* its next use */
    time_ns time;             /* when that begins */
    uint32_t group;           /* of the run, that runs on it; or NO_GROUP */
    time_ns since;
    unsigned __int128 each; /* what one thread had of all until then */
};

enum { NO_GROUP_RUNS = UINT32_MAX };

/* The processors are a heap: the first one's next use is the earliest. */
struct sharing {
    const struct wait_graph *graph;
    const struct cascade *cascade;
    struct windowed *groups;
    struct processor_now *heap;
    uint32_t count, active, window;
    time_ns now, active_ns;
    unsigned __int128 each; /* what a thread that ran all the time would have */
};

static void sift(struct sharing *s, uint32_t at)
{
    for (uint32_t child; (child = 2 * at + 1) < s->count; at = child) {
        if (child + 1 < s->count && s->heap[child + 1].time < s->heap[child].time)
            child++;
        if (s->heap[at].time <= s->heap[child].time)
            return;
        struct processor_now moved = s->heap[at];
        s->heap[at] = s->heap[child];
        s->heap[child] = moved;
    }
}

static void go_to(struct sharing *s, time_ns time)
{
    if (time > s->now && s->active) {
        s->active_ns += time - s->now;
        s->each += ((unsigned __int128)(time - s->now) << 32) / s->active;
    }
    s->now = time > s->now ? time : s->now;
}

/* What its thread has had since. */
static void settle(struct sharing *s, struct processor_now *processor)
{
    if (processor->group != NO_GROUP_RUNS) {
        struct windowed *group = &s->groups[processor->group];
        group->ran[s->window] += s->now - processor->since;
        group->gapp[s->window] += (double)(s->each - processor->each) / PARTS;
    }
    processor->since = s->now;
    processor->each = s->each;
}

static void go_on(struct sharing *s, time_ns time)
{
    const time_ns *borders = s->cascade->borders;
    for (; s->window + 1 < CASCADE_WINDOWS && time > borders[s->window + 1]; s->window++) {
        go_to(s, borders[s->window + 1]);
        for (uint32_t i = 0; i < s->count; i++)
            settle(s, &s->heap[i]);
    }
    go_to(s, time < borders[CASCADE_WINDOWS] ? time : borders[CASCADE_WINDOWS]);
}

static uint32_t group_running_on(const struct sharing *s, const struct processor_use *use)
{
    bool known = use->task != TASK_NONE && vertex_is_of_run(s->cascade->vertices, use->task);
    return known ? s->graph->group_of[use->task] : NO_GROUP_RUNS;
}

/* The first processor's next use begins; or it has no more. */
static void take_next(struct sharing *s)
{
    struct processor_now *first = &s->heap[0];
    const struct processor *processor = &s->cascade->vertices->side->processors[first->processor];
    go_on(s, first->time);
    settle(s, first);
    s->active -= first->group != NO_GROUP_RUNS;
    first->group = NO_GROUP_RUNS;
    if (first->next == processor->count) {
        *first = s->heap[--s->count];
        sift(s, 0);
        return;
    }
    first->group = group_running_on(s, &processor->uses[first->next]);
    s->active += first->group != NO_GROUP_RUNS;
    first->next++;
    first->time =
        first->next < processor->count ? processor->uses[first->next].start : processor->until;
    sift(s, 0);
}

static void share_all(struct sharing *s)
{
    const struct kernel_side *side = s->cascade->vertices->side;
    s->heap = memory_alloc((side->processor_count + 1) * sizeof *s->heap);
    for (uint32_t p = 0; p < side->processor_count; p++)
        if (side->processors[p].count)
            s->heap[s->count++] = (struct processor_now){.processor = p,
                                                         .time = side->processors[p].uses[0].start,
                                                         .group = NO_GROUP_RUNS,
                                                         .since = s->now};
    for (uint32_t i = s->count; i-- > 0;)
        sift(s, i);
    while (s->count)
        take_next(s);
    memory_free(s->heap);
}

void running_fill(struct running *running, const struct wait_graph *graph,
                  const struct cascade *cascade)
{
    struct sharing s = {.graph = graph, .cascade = cascade, .now = cascade->borders[0]};
    s.groups = memory_zeroed((graph->group_count + 1) * sizeof *s.groups);
    *running = (struct running){
        .groups = memory_zeroed((graph->group_count + 1) * sizeof *running->groups)};
    share_all(&s);
    running->active = s.active_ns;
    for (uint32_t g = 0; g < graph->group_count; g++) {
        struct group_running *group = &running->groups[g];
        group->ran = cascade_sum(s.groups[g].ran);
        for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
            group->gapp_ns += s.groups[g].gapp[w];
        group->share = wait_share_of(s.groups[g].ran, cascade, graph->groups[g].members);
        group->gapp = wait_share_of_parts(s.groups[g].gapp, cascade, 1);
        running->ran += group->ran;
        running->gapp_ns += group->gapp_ns;
    }
    memory_free(s.groups);
}

void running_release(struct running *running)
{
    memory_free(running->groups);
    *running = (struct running){0};
}

const char *running_check(const struct running *running)
{
    double missing = (double)running->active - running->gapp_ns;
    double most = 1 + (double)running->active * 1e-9;
    return missing < -most || missing > most
               ? "what threads have of the time in which one ran is not that time"
               : NULL;
}
