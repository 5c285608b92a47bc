#include "waits/replay.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/number_sort.h"
#include "base/parallel.h"
#include "stats/quantile.h"
#include "waits/knot.h"
#include "waits/replay_events.h"

enum { FETCHED_AHEAD = 16 }; /* events */

/* What is taken out: of the waits of `from` for `to`, groups, this part. */
struct taken_out {
    uint32_t from, to;
    double part;
};

/* A disk's last wait: when it was through with it, and would be now. */
struct service {
    time_ns was, now;
};

/* What all replays have in common. */
struct prepared {
    const struct replay_run *of;
    struct replay_events events;
    bool *in_turn;      /* by vertex: a disk that serves one after the other */
    uint32_t *together; /* by group (groups_together) */
    time_ns *busy;      /* by processor and group: how long it was those threads' */
};

/* A thread is through with what it did when it only waits for others any more, until they end it: as a server
 * that waits for the script which will stop it, at a fixed time. */
struct through {
    bool is;
    time_ns was, now;
};

struct replaying {
    const struct prepared *prepared;
    const struct replay_run *of;
    struct taken_out out;
    time_ns *shift;           /* by vertex: its clock less the recorded one */
    struct service *services; /* by vertex */
    struct through *through;  /* by vertex */
    bool *groups;             /* whose run time is looked at; NULL: that of none is */
    time_ns *promised;        /* by promise: when it is given now */
    time_ns *latencies;       /* by row */
    time_ns first_begin, last_end;
    bool changed, later;
};

/* ---- one event after the other ---- */

static bool is_taken_out(const struct replaying *r, const struct wait *wait)
{
    const uint32_t *group_of = r->of->graph->group_of;
    return r->out.part > 0 && group_of[wait->who] == r->out.from &&
           group_of[wait->whom] == r->out.to;
}

static time_ns latest(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

/* What the kernel's threads were given to do, and by whom, is not recorded. */
static bool is_kernels(const struct replaying *r, uint32_t vertex)
{
    const struct wait_group *group = &r->of->graph->groups[r->of->graph->group_of[vertex]];
    return group->kind == VERTEX_THREAD && !group->of_run && !group->client;
}

/* When a wait that begins at `begin` ends now. */
static time_ns end_of(struct replaying *r, const struct wait *wait, time_ns begin)
{
    switch (vertex_kind_of(r->of->vertices, wait->whom)) {
    case VERTEX_THREAD:
        return is_kernels(r, wait->whom) ? begin + wait->end - wait->begin
                                         : latest(begin, wait->end + r->shift[wait->whom]);
    case VERTEX_NETWORK:
        return latest(begin, wait->end);
    case VERTEX_DEVICE: {
        const struct service *last = &r->services[wait->whom];
        time_ns alone = begin + wait->end - wait->begin;
        time_ns in_turn = latest(begin, last->now) + wait->end - latest(wait->begin, last->was);
        return r->prepared->in_turn[wait->whom] && in_turn < alone ? in_turn : alone;
    }
    default:
        return begin + wait->end - wait->begin;
    }
}

/* How long the thread wanted a processor when the wait had ended. */
static time_ns latency_after(const struct replaying *r, const struct wait *wait)
{
    const struct kernel_side *side = r->of->vertices->side;
    if (wait->who >= side->task_count)
        return 0;
    const struct kernel_task *task = &side->tasks[wait->who];
    uint32_t off = kernel_task_off_behind(task, wait->end - 1);
    return off < task->off_count && task->offs[off].woken == wait->end
               ? task->offs[off].in - wait->end
               : 0;
}

static void finish_service(struct service *service, time_ns was, time_ns now)
{
    service->was = was;
    service->now = now;
}

/* Others let it go on, or one that only waited for others itself: who is stopped stops its threads. Where requests are
 * counted there are no others: all groups are looked at. */
static void note_through(struct replaying *r, const struct wait *wait, time_ns begin)
{
    struct through *through = &r->through[wait->who];
    bool other = vertex_kind_of(r->of->vertices, wait->whom) == VERTEX_THREAD &&
                 (!r->groups[r->of->graph->group_of[wait->whom]] || r->through[wait->whom].is);
    if (other && !through->is)
        *through = (struct through){true, wait->begin, begin};
    else if (!other)
        through->is = false;
}

static void end_wait(struct replaying *r, const struct wait *wait)
{
    time_ns begin = wait->begin + r->shift[wait->who];
    if (r->groups && !r->of->rows->count)
        note_through(r, wait, begin);
    time_ns end = end_of(r, wait, begin);
    if (is_taken_out(r, wait))
        end -= (time_ns)((double)(end - begin + latency_after(r, wait)) * r->out.part);
    if (vertex_kind_of(r->of->vertices, wait->whom) == VERTEX_DEVICE)
        finish_service(&r->services[wait->whom], wait->end,
                       latest(end, r->services[wait->whom].now));
    r->shift[wait->who] = end - wait->end;
}

static void end_interval(struct replaying *r, const struct replay_event *event)
{
    time_ns begin = r->promised[event->number];
    time_ns end = latest(event->time + r->shift[event->vertex], begin);
    r->latencies[event->number] = end - begin;
    r->first_begin = begin < r->first_begin ? begin : r->first_begin;
    r->last_end = latest(end, r->last_end);
}

static void take_event(struct replaying *r, const struct replay_event *event)
{
    time_ns *shift = &r->shift[event->vertex];
    switch (event->kind) {
    case REPLAY_WAIT:
        end_wait(r, &r->of->waits->items[event->number]);
        break;
    case REPLAY_PROMISE:
        r->promised[event->number] = event->time + *shift;
        break;
    case REPLAY_BORN:
        *shift = r->shift[event->number];
        break;
    case REPLAY_TAKE:
        *shift = latest(*shift, r->promised[event->number] - event->time);
        break;
    case REPLAY_END:
        end_interval(r, event);
        break;
    }
    r->changed |= *shift != 0;
    r->later |= *shift > 0;
}

/* Waits lie by thread, and are gone through in order of time: each is another place in memory. */
static void fetch_wait(const struct replaying *r, const struct replay_event *event)
{
    if (event->kind == REPLAY_WAIT)
        __builtin_prefetch(&r->of->waits->items[event->number]);
}

static void replay(struct replaying *r, struct taken_out out)
{
    const struct vertex_table *vertices = r->of->vertices;
    r->out = out;
    r->changed = false;
    r->first_begin = INT64_MAX;
    r->last_end = INT64_MIN;
    for (uint32_t v = 0; v < vertices->count; v++) {
        r->shift[v] = 0;
        r->through[v].is = false;
        finish_service(&r->services[v], INT64_MIN / 2, INT64_MIN / 2);
    }
    const struct replay_events *events = &r->prepared->events;
    for (size_t i = 0; i < events->count; i++) {
        if (i + FETCHED_AHEAD < events->count)
            fetch_wait(r, &events->items[i + FETCHED_AHEAD]);
        take_event(r, &events->items[i]);
    }
}

/* ---- what came of it ---- */

static uint32_t root_of(uint32_t *parent, uint32_t group)
{
    while (parent[group] != group)
        group = parent[group] = parent[parent[group]];
    return group;
}

/* How long its threads had a processor. */
static time_ns ran_of(const struct prepared *prepared, uint32_t group)
{
    time_ns sum = 0;
    for (uint32_t p = 0; p < prepared->of->vertices->side->processor_count; p++)
        sum += prepared->busy[(size_t)p * prepared->of->graph->group_count + group];
    return sum;
}

/* By group: it waits for others of the run, none of whom waits for it, and hardly runs: when it is through
 * says nothing of them. */
static bool *bystanders(const struct prepared *prepared)
{
    const struct wait_graph *graph = prepared->of->graph;
    bool *are = memory_zeroed((size_t)graph->group_count + 1);
    for (uint32_t g = 0; g < graph->group_count; g++)
        are[g] = (double)ran_of(prepared, g) < EDGE_LEAST * (double)prepared->of->waits->recorded;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].raw_share.value > EDGE_LEAST &&
            graph->groups[graph->edges[e].from].of_run)
            are[graph->edges[e].to] = false;
    return are;
}

/* By group, one of those that have to do with each other: one waits for the other, or both have to do
 * with a third one. Who is in the background, and who only meets them at the end, is none. */
static uint32_t *groups_together(const struct prepared *prepared)
{
    const struct wait_graph *graph = prepared->of->graph;
    bool *aside = bystanders(prepared);
    uint32_t *parent = memory_alloc(sizeof *parent * ((size_t)graph->group_count + 1));
    for (uint32_t g = 0; g < graph->group_count; g++)
        parent[g] = g;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct wait_edge *edge = &graph->edges[e];
        if (edge->raw_share.value > EDGE_LEAST && !aside[edge->from] &&
            graph->groups[edge->from].of_run && graph->groups[edge->to].of_run)
            parent[root_of(parent, edge->from)] = root_of(parent, edge->to);
    }
    for (uint32_t g = 0; g < graph->group_count; g++)
        parent[g] = root_of(parent, g);
    memory_free(aside);
    return parent;
}

/* All, where requests are counted. */
static bool *groups_with(const struct replaying *r, uint32_t group)
{
    bool *with = memory_zeroed((size_t)r->of->graph->group_count + 1);
    const uint32_t *together = r->prepared->together;
    for (uint32_t g = 0; g < r->of->graph->group_count; g++)
        with[g] = r->of->rows->count || together[g] == together[group];
    return with;
}

/* How long it takes until the last thread of these groups is through with what it did. */
static time_ns run_time(const struct replaying *r, const bool *groups, bool now)
{
    const struct replay_run *of = r->of;
    time_ns last = of->waits->from;
    for (uint32_t t = 1; t < of->vertices->side->task_count; t++) {
        time_ns ended = of->vertices->side->tasks[t].ended;
        if (!groups[of->graph->group_of[t]] || !vertex_is_of_run(of->vertices, t))
            continue;
        ended = ended < of->waits->until ? ended : of->waits->until;
        ended -= of->waits->unfinished[t]; /* it waited for what had not come */
        const struct through *through = &r->through[t];
        time_ns end =
            through->is ? (now ? through->now : through->was) : ended + (now ? r->shift[t] : 0);
        last = latest(last, end);
    }
    return last - of->waits->from;
}

static time_ns recorded_span(const struct replay_run *of)
{
    time_ns first = INT64_MAX, last = INT64_MIN;
    for (size_t row = 0; row < of->rows->count; row++) {
        const struct interval *interval = &of->run->intervals[of->rows->intervals[row]];
        first = interval->begin < first ? interval->begin : first;
        last = latest(interval->end, last);
    }
    return last - first;
}

/* How much faster `span` could be if the processors that these groups had were always theirs, but for
 * what the run's others had of them. */
static double most_speedup(const struct prepared *prepared, const bool *groups, time_ns span)
{
    const struct replay_run *of = prepared->of;
    uint32_t count = of->graph->group_count;
    double with = 0, left = 0, length = (double)of->waits->recorded;
    for (uint32_t p = 0; p < of->vertices->side->processor_count; p++) {
        time_ns of_them = 0, others = 0;
        for (uint32_t g = 0; g < count; g++)
            *(groups[g] ? &of_them : &others) += prepared->busy[(size_t)p * count + g];
        with += (double)of_them;
        left += of_them ? length - (double)others : 0;
    }
    double most = with > 0 && length > 0
                      ? left / with * (double)span / (double)(of->waits->until - of->waits->from)
                      : 1;
    return most > 1 ? most : 1;
}

static double cut(time_ns was, time_ns now, double most, bool *processors)
{
    double speedup = now > 0 ? (double)was / (double)now : most;
    *processors = was > now && speedup >= most;
    return now >= was ? 1 : *processors ? most : speedup;
}

/* The first request may come sooner by more than the last one ends: nothing is slower for that. */
static double speedup(const struct replaying *r, bool *processors)
{
    const bool *groups = r->groups;
    time_ns run_was = run_time(r, groups, false), run_now = run_time(r, groups, true);
    bool requests = r->of->rows->count > 0;
    time_ns was = requests ? recorded_span(r->of) : run_was;
    time_ns now = requests ? r->last_end - r->first_begin : run_now;
    double most = most_speedup(r->prepared, groups, run_was);
    return cut(was, now, most, processors);
}

static struct replay_effect effect(const struct replaying *r)
{
    size_t count = r->of->rows->count;
    struct replay_effect found = {.speedup = 1};
    double sum = 0;
    if (r->out.part > 0)
        found.speedup = speedup(r, &found.processors);
    for (size_t row = 0; row < count; row++)
        sum += (double)r->latencies[row];
    if (!count)
        return found;
    found.mean_ns = sum / (double)count;
    number_sort(r->latencies, count);
    found.p99_ns = quantile_sorted(r->latencies, count, 0.99);
    return found;
}

static time_ns unknown_waits(const struct replay_run *of)
{
    time_ns sum = 0;
    for (size_t i = 0; i < of->waits->count; i++) {
        const struct wait *wait = &of->waits->items[i];
        if (vertex_is_of_run(of->vertices, wait->who) &&
            vertex_kind_of(of->vertices, wait->whom) == VERTEX_UNKNOWN)
            sum += wait->end - wait->begin;
    }
    return sum;
}

static int by_speedup(const void *a, const void *b)
{
    const struct replay *p = a, *q = b;
    if (p->gone.speedup != q->gone.speedup)
        return p->gone.speedup > q->gone.speedup ? -1 : 1;
    if (p->pair.edge != q->pair.edge)
        return p->pair.edge < q->pair.edge ? -1 : 1;
    return p->pair.from < q->pair.from ? -1 : p->pair.from > q->pair.from;
}

/* ---- all edges ---- */

/* A disk that is often through with a wait before one that began earlier serves several at a time. */
static bool *find_in_turn(const struct replay_run *of)
{
    const struct wait_list *waits = of->waits;
    size_t vertices = of->vertices->count;
    bool *in_turn = memory_zeroed(vertices + 1);
    time_ns *last = memory_zeroed(sizeof *last * (vertices + 1));
    size_t *count = memory_zeroed(2 * sizeof *count * (vertices + 1)), *overtook = count + vertices;
    for (size_t i = 0; i < waits->count; i++) {
        uint32_t whom = waits->items[i].whom;
        overtook[whom] += count[whom]++ && waits->items[i].end < last[whom];
        last[whom] = latest(last[whom], waits->items[i].end);
    }
    for (size_t v = 0; v < vertices; v++)
        in_turn[v] = (double)overtook[v] <= REPLAY_OVERTAKEN * (double)count[v];
    memory_free(last);
    memory_free(count);
    return in_turn;
}

static void add_busy(const struct replay_run *of, const struct processor *processor, time_ns *busy)
{
    time_ns from = of->waits->from, until = of->waits->until;
    for (uint32_t i = 0; i < processor->count; i++) {
        const struct processor_use *use = &processor->uses[i];
        time_ns end = i + 1 == processor->count ? processor->until : use[1].start;
        time_ns lo = latest(use->start, from), hi = end < until ? end : until;
        if (use->task != TASK_NONE && hi > lo && vertex_is_of_run(of->vertices, use->task))
            busy[of->graph->group_of[use->task]] += hi - lo;
    }
}

static void prepare(struct prepared *prepared, const struct replay_run *of)
{
    const struct kernel_side *side = of->vertices->side;
    size_t groups = of->graph->group_count;
    *prepared = (struct prepared){.of = of, .in_turn = find_in_turn(of)};
    replay_events_fill(&prepared->events, of->run, of->vertices, of->waits, of->rows);
    prepared->busy = memory_zeroed(sizeof *prepared->busy * (groups * side->processor_count + 1));
    for (uint32_t p = 0; p < side->processor_count; p++)
        add_busy(of, &side->processors[p], prepared->busy + p * groups);
    prepared->together = groups_together(prepared);
}

static void prepared_release(struct prepared *prepared)
{
    replay_events_release(&prepared->events);
    memory_free(prepared->in_turn);
    memory_free(prepared->together);
    memory_free(prepared->busy);
}

static void init(struct replaying *r, const struct prepared *prepared)
{
    size_t vertices = prepared->of->vertices->count;
    *r = (struct replaying){.prepared = prepared, .of = prepared->of};
    r->shift = memory_alloc(sizeof *r->shift * (vertices + 1));
    r->services = memory_alloc(sizeof *r->services * (vertices + 1));
    r->through = memory_alloc(sizeof *r->through * (vertices + 1));
    r->promised = memory_zeroed(sizeof *r->promised * ((size_t)prepared->events.promises + 1));
    r->latencies = memory_zeroed(sizeof *r->latencies * (prepared->of->rows->count + 1));
}

static void release(struct replaying *r)
{
    memory_free(r->shift);
    memory_free(r->services);
    memory_free(r->through);
    memory_free(r->groups);
    memory_free(r->promised);
    memory_free(r->latencies);
}

static void replay_nothing(struct replays *replays, const struct prepared *prepared)
{
    const struct replay_run *of = prepared->of;
    struct replaying r;
    init(&r, prepared);
    replay(&r, (struct taken_out){NO_GROUP, NO_GROUP, 0});
    replays->changed = r.changed;
    for (size_t row = 0; row < of->rows->count; row++)
        replays->changed |= r.latencies[row] != row_list_latency(of->rows, of->run, row);
    replays->as_it_was = effect(&r);
    release(&r);
}

struct all_edges {
    const struct prepared *prepared;
    struct replay *items;
    bool later[REPLAY_MOST];
};

static void replay_edge(void *context, uint32_t number)
{
    struct all_edges *all = context;
    struct replay *found = &all->items[number];
    struct replaying r;
    init(&r, all->prepared);
    r.groups = groups_with(&r, found->pair.from);
    replay(&r, (struct taken_out){found->pair.from, found->pair.to, 1});
    found->gone = effect(&r);
    replay(&r, (struct taken_out){found->pair.from, found->pair.to, 0.5});
    found->halved = effect(&r);
    all->later[number] = r.later;
    release(&r);
}

void replays_fill(struct replays *replays, const struct replay_run *run,
                  const struct replay_pair *pairs, uint32_t count)
{
    struct prepared prepared;
    count = count < REPLAY_MOST ? count : REPLAY_MOST;
    *replays = (struct replays){.count = count, .unknown = unknown_waits(run)};
    replays->intervals = run->rows->count;
    replays->items = memory_zeroed(sizeof *replays->items * ((size_t)count + 1));
    for (uint32_t i = 0; i < count; i++)
        replays->items[i].pair = pairs[i];
    prepare(&prepared, run);
    replay_nothing(replays, &prepared);
    struct all_edges all = {.prepared = &prepared, .items = replays->items};
    parallel_each(count, replay_edge, &all);
    for (uint32_t i = 0; i < count; i++)
        replays->later |= all.later[i];
    if (count)
        qsort(replays->items, count, sizeof *replays->items, by_speedup);
    prepared_release(&prepared);
}

void replays_release(struct replays *replays)
{
    memory_free(replays->items);
    *replays = (struct replays){0};
}

const char *replays_check(const struct replays *replays)
{
    if (replays->changed)
        return "a replay of the run as it was gives other times";
    return replays->later ? "a replay without some waits makes something later" : NULL;
}
