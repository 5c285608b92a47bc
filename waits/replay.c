#include "waits/replay.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/number_sort.h"
#include "stats/quantile.h"
#include "waits/knot.h"
#include "waits/replay_events.h"

/* What is taken out: of the waits of `from` for `to`, groups, this part. */
struct taken_out {
    uint32_t from, to;
    double part;
};

/* A disk's last wait: when it was through with it, and would be now. */
struct service {
    time_ns was, now;
    bool in_turn; /* it serves one after the other */
};

struct replaying {
    const struct replay_run *of;
    struct replay_events events;
    struct taken_out out;
    time_ns *shift;           /* by vertex: its clock less the recorded one */
    struct service *services; /* by vertex */
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

/* When a wait that begins at `begin` ends now. */
static time_ns end_of(struct replaying *r, const struct wait *wait, time_ns begin)
{
    switch (vertex_kind_of(r->of->vertices, wait->whom)) {
    case VERTEX_THREAD:
        return latest(begin, wait->end + r->shift[wait->whom]);
    case VERTEX_NETWORK:
        return latest(begin, wait->end);
    case VERTEX_DEVICE: {
        const struct service *last = &r->services[wait->whom];
        time_ns alone = begin + wait->end - wait->begin;
        time_ns in_turn = latest(begin, last->now) + wait->end - latest(wait->begin, last->was);
        return last->in_turn && in_turn < alone ? in_turn : alone;
    }
    default:
        return begin + wait->end - wait->begin;
    }
}

static void finish_service(struct service *service, time_ns was, time_ns now)
{
    service->was = was;
    service->now = now;
}

static void end_wait(struct replaying *r, const struct wait *wait)
{
    time_ns begin = wait->begin + r->shift[wait->who];
    time_ns end = end_of(r, wait, begin);
    if (is_taken_out(r, wait))
        end -= (time_ns)((double)(end - begin) * r->out.part);
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

static void replay(struct replaying *r, struct taken_out out)
{
    const struct vertex_table *vertices = r->of->vertices;
    r->out = out;
    r->changed = false;
    r->first_begin = INT64_MAX;
    r->last_end = INT64_MIN;
    for (uint32_t v = 0; v < vertices->count; v++) {
        r->shift[v] = 0;
        finish_service(&r->services[v], INT64_MIN / 2, INT64_MIN / 2);
    }
    for (size_t i = 0; i < r->events.count; i++)
        take_event(r, &r->events.items[i]);
}

/* A disk that is often through with a wait before one that began earlier serves several at a time. */
static void learn_services(struct replaying *r)
{
    const struct wait_list *waits = r->of->waits;
    uint32_t vertices = r->of->vertices->count;
    time_ns *last = memory_zeroed(sizeof *last * ((size_t)vertices + 1));
    size_t *count = memory_zeroed(2 * sizeof *count * ((size_t)vertices + 1));
    size_t *overtook = count + vertices;
    for (size_t i = 0; i < waits->count; i++) {
        uint32_t whom = waits->items[i].whom;
        overtook[whom] += count[whom]++ && waits->items[i].end < last[whom];
        last[whom] = latest(last[whom], waits->items[i].end);
    }
    for (uint32_t v = 0; v < vertices; v++)
        r->services[v].in_turn = (double)overtook[v] <= REPLAY_OVERTAKEN * (double)count[v];
    memory_free(last);
    memory_free(count);
}

/* ---- what came of it ---- */

static bool is_between_threads(const struct replaying *r, uint32_t edge)
{
    const struct wait_graph *graph = r->of->graph;
    return graph->edges[edge].raw_share.value > EDGE_LEAST &&
           graph->groups[graph->edges[edge].from].of_run &&
           graph->groups[graph->edges[edge].to].of_run;
}

/* Of the groups that have to do with `group`: one waits for the other, or both have to do with a
 * third one. Who is in the background, and who only meets them at the end, is none. */
static bool *groups_with(const struct replaying *r, uint32_t group)
{
    const struct wait_graph *graph = r->of->graph;
    bool *with = memory_zeroed(graph->group_count + 1), more = true;
    with[group] = true;
    while (more) {
        more = false;
        for (uint32_t e = 0; e < graph->edge_count; e++) {
            const struct wait_edge *edge = &graph->edges[e];
            if (!is_between_threads(r, e) || with[edge->from] == with[edge->to])
                continue;
            with[edge->from] = with[edge->to] = more = true;
        }
    }
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
        last = latest(last, ended + (now ? r->shift[t] : 0));
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

/* How long a processor was these groups', and the run's others'. */
struct busy {
    time_ns with, others;
};

static struct busy busy_time(const struct replay_run *of, const struct processor *processor,
                             const bool *groups)
{
    time_ns from = of->waits->from, until = of->waits->until;
    struct busy busy = {0, 0};
    for (uint32_t i = 0; i < processor->count; i++) {
        const struct processor_use *use = &processor->uses[i];
        time_ns end = i + 1 == processor->count ? processor->until : use[1].start;
        time_ns lo = latest(use->start, from), hi = end < until ? end : until;
        if (use->task == TASK_NONE || hi <= lo || !vertex_is_of_run(of->vertices, use->task))
            continue;
        *(groups[of->graph->group_of[use->task]] ? &busy.with : &busy.others) += hi - lo;
    }
    return busy;
}

/* How much faster `span` could be if the processors that these groups had were always theirs, but for
 * what the run's others had of them. */
static double most_speedup(const struct replay_run *of, const bool *groups, time_ns span)
{
    const struct kernel_side *side = of->vertices->side;
    double with = 0, left = 0, length = (double)of->waits->recorded;
    for (uint32_t p = 0; p < side->processor_count; p++) {
        struct busy busy = busy_time(of, &side->processors[p], groups);
        with += (double)busy.with;
        left += busy.with ? length - (double)busy.others : 0;
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
    bool *groups = groups_with(r, r->out.from);
    for (uint32_t g = 0; g < r->of->graph->group_count && r->of->rows->count; g++)
        groups[g] = true;
    time_ns run_was = run_time(r, groups, false), run_now = run_time(r, groups, true);
    bool requests = r->of->rows->count > 0;
    time_ns was = requests ? recorded_span(r->of) : run_was;
    time_ns now = requests ? r->last_end - r->first_begin : run_now;
    double most = most_speedup(r->of, groups, run_was);
    memory_free(groups);
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
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

static void replay_edge(struct replays *replays, struct replaying *r, uint32_t edge)
{
    const struct wait_edge *of = &r->of->graph->edges[edge];
    struct replay *found = &replays->items[replays->count++];
    found->edge = edge;
    replay(r, (struct taken_out){of->from, of->to, 1});
    found->gone = effect(r);
    replay(r, (struct taken_out){of->from, of->to, 0.5});
    found->halved = effect(r);
}

static void init(struct replaying *r, const struct replay_run *run)
{
    uint32_t vertices = run->vertices->count;
    *r = (struct replaying){.of = run};
    replay_events_fill(&r->events, run->run, run->vertices, run->waits, run->rows);
    r->shift = memory_alloc(sizeof *r->shift * ((size_t)vertices + 1));
    r->services = memory_alloc(sizeof *r->services * ((size_t)vertices + 1));
    learn_services(r);
    r->promised = memory_zeroed(sizeof *r->promised * ((size_t)r->events.promises + 1));
    r->latencies = memory_zeroed(sizeof *r->latencies * (run->rows->count + 1));
}

static void release(struct replaying *r)
{
    replay_events_release(&r->events);
    memory_free(r->shift);
    memory_free(r->services);
    memory_free(r->promised);
    memory_free(r->latencies);
}

void replays_fill(struct replays *replays, const struct replay_run *run, const uint32_t *edges,
                  uint32_t count)
{
    struct replaying r;
    *replays = (struct replays){.intervals = run->rows->count, .unknown = unknown_waits(run)};
    count = count < REPLAY_MOST ? count : REPLAY_MOST;
    replays->items = memory_zeroed(sizeof *replays->items * ((size_t)count + 1));
    init(&r, run);
    replay(&r, (struct taken_out){NO_GROUP, NO_GROUP, 0});
    replays->changed = r.changed;
    replays->as_it_was = effect(&r);
    for (uint32_t i = 0; i < count; i++)
        replay_edge(replays, &r, edges[i]);
    replays->later = r.later;
    if (count)
        qsort(replays->items, count, sizeof *replays->items, by_speedup);
    release(&r);
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
