#include "waits/device_idle.h"

#include "base/memory.h"
#include "base/run_merge.h"

struct device_state {
    time_ns busy_from, busy_until; /* the latest stretch of requests one upon the other */
    uint64_t requests;
    time_ns busy, unended;
};

struct idling {
    struct device_idle *idle;
    const struct cascade *cascade;
    const struct kernel_side *side;
    time_ns from, until;
    struct device_state *states; /* by device */
    struct hash_map edge_of;     /* device << 32 | whom -> 1 + edge */
};

/* ---- a stretch ---- */

static time_ns overlap(time_ns a_from, time_ns a_until, time_ns from, time_ns until)
{
    from = a_from > from ? a_from : from;
    until = a_until < until ? a_until : until;
    return until > from ? until - from : 0;
}

static time_ns blocked_in(const struct kernel_task *task, time_ns from, time_ns until)
{
    time_ns sum = overlap(task->open.out, task->open.woken, from, until);
    for (uint32_t i = kernel_task_off_behind(task, from); i < task->off_count; i++) {
        if (task->offs[i].out >= until)
            break;
        sum += overlap(task->offs[i].out, task->offs[i].woken, from, until);
    }
    return sum;
}

static struct cascade_edge *edge_to(struct idling *s, uint32_t device, uint32_t whom)
{
    uint64_t *known = hash_map_put(&s->edge_of, (uint64_t)device << 32 | whom);
    uint32_t who = vertex_of_kind(s->cascade->vertices, VERTEX_DEVICE) + device;
    if (!*known) {
        struct device_idle *idle = s->idle;
        VEC_PUSH(idle->edges, idle->edge_count, idle->edge_capacity) =
            (struct cascade_edge){.who = who, .whom = whom};
        *known = idle->edge_count;
    }
    return &s->idle->edges[*known - 1];
}

/* It lies in no pause, and `task` ended it. */
static void charge(struct idling *s, uint32_t device, uint32_t task, time_ns from, time_ns until)
{
    const time_ns *borders = s->cascade->borders;
    bool known = task != TASK_NONE && task != TASK_IDLE;
    struct cascade_edge *edge =
        edge_to(s, device,
                known ? vertex_of_task(s->cascade->vertices, task)
                      : vertex_of_kind(s->cascade->vertices, VERTEX_UNKNOWN));
    cascade_edge_count(edge, until - from);
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++) {
        time_ns begin = borders[w] > from ? borders[w] : from;
        time_ns end = borders[w + 1] < until ? borders[w + 1] : until;
        if (begin >= end)
            continue;
        time_ns blocked = known ? blocked_in(&s->side->tasks[task], begin, end) : 0;
        edge->raw[w] += end - begin;
        edge->cascaded[w] += end - begin;
        edge->leaf[w] += end - begin - blocked;
    }
}

/* What lies before a pause, nobody was seen to end. */
static void add_idle(struct idling *s, uint32_t device, const struct block_request *ends,
                     time_ns from, time_ns until)
{
    struct device_state *state = &s->states[device];
    for (uint32_t i = 0; i < s->side->pause_count; i++) {
        const struct kernel_pause *pause = &s->side->pauses[i];
        if (pause->until <= from || pause->from >= until)
            continue;
        state->unended += pause->from > from ? pause->from - from : 0;
        from = pause->until < until ? pause->until : until;
    }
    if (!ends)
        state->unended += until - from;
    else if (until > from)
        charge(s, device, ends->task, from, until);
}

/* ---- a device ---- */

static void close_busy(struct idling *s, struct device_state *state)
{
    time_ns until = state->busy_until < s->until ? state->busy_until : s->until;
    if (until > state->busy_from)
        state->busy += kernel_side_recorded(s->side, state->busy_from, until);
}

static void take(struct idling *s, uint32_t device, const struct block_request *request)
{
    struct device_state *state = &s->states[device];
    time_ns issued = request->issued > s->from ? request->issued : s->from;
    if (issued >= s->until || request->done < s->from)
        return;
    state->requests++;
    if (issued > state->busy_until) {
        close_busy(s, state);
        add_idle(s, device, request, state->busy_until, issued);
        state->busy_from = issued;
        state->busy_until = issued;
    }
    if (request->done > state->busy_until)
        state->busy_until = request->done;
}

static void finish(struct idling *s, uint32_t device)
{
    struct device_state *state = &s->states[device];
    if (!state->requests)
        return;
    close_busy(s, state);
    if (state->busy_until < s->until)
        add_idle(s, device, NULL, state->busy_until, s->until);
    s->idle->devices[s->idle->device_count++] =
        (struct device_use){.vertex = vertex_of_kind(s->cascade->vertices, VERTEX_DEVICE) + device,
                            .requests = state->requests,
                            .busy = state->busy,
                            .unended = state->unended};
}

static uint64_t issue_key(const void *requests, size_t index)
{
    return (uint64_t)((const struct block_request *)requests)[index].issued ^ UINT64_C(1) << 63;
}

static void take_all(struct idling *s)
{
    struct hash_map device_of = {0}; /* number -> 1 + device */
    struct run_merge merge;
    for (uint32_t d = 0; d < s->side->device_count; d++)
        *hash_map_put(&device_of, s->side->devices[d].number) = 1 + d;
    run_merge_init(&merge, issue_key, s->side->requests, s->side->request_count);
    for (size_t i = 0; i < s->side->request_count; i++) {
        const struct block_request *request = &s->side->requests[run_merge_next(&merge)];
        const uint64_t *device = hash_map_get(&device_of, request->device);
        if (device)
            take(s, (uint32_t)(*device - 1), request);
    }
    run_merge_release(&merge);
    hash_map_release(&device_of);
}

void device_idle_fill(struct device_idle *idle, const struct cascade *cascade)
{
    const struct kernel_side *side = cascade->vertices->side;
    struct idling s = {.idle = idle,
                       .cascade = cascade,
                       .side = side,
                       .from = cascade->borders[0],
                       .until = cascade->borders[CASCADE_WINDOWS],
                       .states = memory_zeroed((side->device_count + 1) * sizeof *s.states)};
    *idle = (struct device_idle){
        .devices = memory_zeroed((side->device_count + 1) * sizeof *idle->devices)};
    for (uint32_t d = 0; d < side->device_count; d++)
        s.states[d].busy_from = s.states[d].busy_until = s.from;
    take_all(&s);
    for (uint32_t d = 0; d < side->device_count; d++)
        finish(&s, d);
    for (uint32_t d = 0; d < idle->device_count; d++)
        for (size_t e = 0; e < idle->edge_count; e++)
            if (idle->edges[e].who == idle->devices[d].vertex)
                idle->devices[d].idle += cascade_sum(idle->edges[e].raw);
    memory_free(s.states);
    hash_map_release(&s.edge_of);
}

void device_idle_release(struct device_idle *idle)
{
    memory_free(idle->edges);
    memory_free(idle->devices);
    *idle = (struct device_idle){0};
}

const char *device_idle_check(const struct device_idle *idle, const struct cascade *cascade)
{
    time_ns recorded = kernel_side_recorded(cascade->vertices->side, cascade->borders[0],
                                            cascade->borders[CASCADE_WINDOWS]);
    for (uint32_t d = 0; d < idle->device_count; d++) {
        const struct device_use *use = &idle->devices[d];
        if (use->busy + use->idle + use->unended != recorded)
            return "what a device was busy and idle is not the time that was recorded";
    }
    for (size_t e = 0; e < idle->edge_count; e++)
        for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
            if (idle->edges[e].leaf[w] < 0 || idle->edges[e].leaf[w] > idle->edges[e].raw[w])
                return "a device waited less for who did not wait than it may";
    return NULL;
}
