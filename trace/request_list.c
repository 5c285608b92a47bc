#include "trace/request_list.h"

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/run_merge.h"

#define SECTOR_BYTES 512

struct flight {
    struct block_request request;
    uint32_t bytes;    /* still to be done */
    uint32_t together; /* flushes but the first one */
    bool flies;
};

struct pairing {
    struct kernel_side *side;
    struct hash_map task_of;   /* tid -> 1 + its latest task that was seen before */
    struct hash_map flight_of; /* where it goes on -> 1 + flight */
    uint32_t next_task;
    uint32_t *tasks; /* by when they were seen */
    struct flight *flights;
    size_t count, capacity;
    time_ns first;    /* event */
    time_ns cut;      /* the latest */
    size_t since_cut; /* the first flight after it */
};

void request_list_add(struct request_list *list, struct request_event event)
{
    VEC_PUSH(list->events, list->count, list->capacity) = event;
}

void request_list_release(struct request_list *list)
{
    memory_free(list->events);
    *list = (struct request_list){0};
}

static uint64_t time_key(const void *events, size_t index)
{
    return (uint64_t)((const struct request_event *)events)[index].time ^ UINT64_C(1) << 63;
}

/* A flush moves nothing, and has no sector of its own. */
static uint64_t place_key(uint32_t device, uint64_t sector, bool moves)
{
    return hash_mix(sector ^ hash_mix((uint64_t)device << 1 | moves));
}

static uint64_t seen_key(const void *tasks, size_t index)
{
    return (uint64_t)((const struct kernel_task *)tasks)[index].seen ^ UINT64_C(1) << 63;
}

static void order_tasks(struct pairing *p)
{
    struct run_merge merge;
    p->tasks = memory_alloc((p->side->task_count + 1) * sizeof *p->tasks);
    run_merge_init(&merge, seen_key, p->side->tasks, p->side->task_count);
    for (uint32_t i = 0; i < p->side->task_count; i++)
        p->tasks[i] = (uint32_t)run_merge_next(&merge);
    run_merge_release(&merge);
}

/* The kernel uses thread ids again: it is whoever had it then. */
static uint32_t task_at(struct pairing *p, uint32_t tid, time_ns time)
{
    const struct kernel_side *side = p->side;
    for (; p->next_task < side->task_count; p->next_task++) {
        const struct kernel_task *task = &side->tasks[p->tasks[p->next_task]];
        if (task->seen > time)
            break;
        *hash_map_put(&p->task_of, task->tid) = 1 + (uint64_t)p->tasks[p->next_task];
    }
    const uint64_t *task = tid ? hash_map_get(&p->task_of, tid) : NULL;
    return task ? (uint32_t)(*task - 1) : TASK_NONE;
}

static void take_issued(struct pairing *p, const struct request_event *event)
{
    uint64_t *known =
        hash_map_put(&p->flight_of, place_key(event->device, event->sector, event->bytes > 0));
    if (*known && p->flights[*known - 1].flies) {
        p->flights[*known - 1].together += event->bytes == 0;
        return;
    }
    uint32_t task = task_at(p, event->tid, event->time);
    VEC_PUSH(p->flights, p->count, p->capacity) =
        (struct flight){{event->time, INT64_MAX, event->device, task}, event->bytes, 0, true};
    *known = p->count;
}

static void take_done(struct pairing *p, const struct request_event *event)
{
    bool moves = event->bytes > 0;
    uint64_t *known = hash_map_put(&p->flight_of, place_key(event->device, event->sector, moves));
    struct flight *flight = *known ? &p->flights[*known - 1] : NULL;
    uint64_t number = *known;
    if (!flight || !flight->flies) {
        bool old = event->time - (p->cut == INT64_MIN ? p->first : p->cut) <= REQUEST_OLD_NS;
        time_ns issued = old ? p->cut : event->time;
        VEC_PUSH(p->flights, p->count, p->capacity) =
            (struct flight){{issued, event->time, event->device, TASK_NONE}, 0, 0, false};
        return;
    }
    if (flight->together) {
        flight->together--;
        return;
    }
    *known = 0;
    if (event->bytes < flight->bytes) {
        uint64_t rest = event->sector + event->bytes / SECTOR_BYTES;
        flight->bytes -= event->bytes;
        *hash_map_put(&p->flight_of, place_key(event->device, rest, moves)) = number;
        return;
    }
    flight->request.done = event->time;
    flight->flies = false;
}

static void take_cut(struct pairing *p, const struct request_event *event)
{
    for (; p->since_cut < p->count; p->since_cut++) {
        struct flight *flight = &p->flights[p->since_cut];
        if (flight->flies)
            flight->request.done = event->time;
        flight->flies = false;
    }
    p->cut = event->time;
}

static uint64_t issue_key(const void *flights, size_t index)
{
    return (uint64_t)((const struct flight *)flights)[index].request.issued ^ UINT64_C(1) << 63;
}

static void keep(struct pairing *p, struct timelines *run)
{
    struct run_merge merge;
    struct kernel_side *side = p->side;
    side->request_count = p->count;
    side->requests = ARENA_ARRAY(&run->scheduler, struct block_request, p->count);
    run_merge_init(&merge, issue_key, p->flights, p->count);
    for (size_t i = 0; i < p->count; i++)
        side->requests[i] = p->flights[run_merge_next(&merge)].request;
    run_merge_release(&merge);
}

void request_list_build(struct request_list *list, struct timelines *run)
{
    struct pairing p = {.side = run->kernel_side, .cut = INT64_MIN};
    struct run_merge merge;
    if (!p.side)
        return;
    order_tasks(&p);
    run_merge_init(&merge, time_key, list->events, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct request_event *event = &list->events[run_merge_next(&merge)];
        if (i == 0)
            p.first = event->time;
        if (event->kind == REQUEST_CUT)
            take_cut(&p, event);
        else if (event->kind == REQUEST_ISSUED)
            take_issued(&p, event);
        else
            take_done(&p, event);
    }
    run_merge_release(&merge);
    keep(&p, run);
    hash_map_release(&p.task_of);
    hash_map_release(&p.flight_of);
    memory_free(p.tasks);
    memory_free(p.flights);
}
