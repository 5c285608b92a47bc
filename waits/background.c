#include "waits/background.h"

#include <stdlib.h>

#include "base/memory.h"

/* What may be set aside: no two have a group in common. */
struct candidate {
    const uint32_t *groups;
    uint32_t group_count;
    time_ns ran;
    bool waited_for; /* by a group of the run that is not of it */
};

struct searching {
    struct background *background;
    const struct wait_graph *graph;
    const struct running *running;
    time_ns recorded, aside; /* aside: what was set aside ran */
    bool *searched;
    bool *gone;      /* by group: it was set aside */
    uint32_t *owner; /* by group: 1 + the candidate that it is of */
    struct candidate *candidates;
    size_t count, capacity;
};

static bool is_io(const struct wait_group *group)
{
    return group->kind == VERTEX_DEVICE || group->client;
}

/* Without a thread of the run, or with a device, it is not one. */
static void add_candidate(struct searching *s, const uint32_t *groups, uint32_t count)
{
    struct candidate candidate = {.groups = groups, .group_count = count};
    bool of_run = false, io = false;
    for (uint32_t i = 0; i < count; i++) {
        of_run |= s->graph->groups[groups[i]].of_run;
        io |= is_io(&s->graph->groups[groups[i]]);
        candidate.ran += s->running->groups[groups[i]].ran;
    }
    if (of_run && !io && candidate.ran < s->recorded)
        VEC_PUSH(s->candidates, s->count, s->capacity) = candidate;
}

static int by_running(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    if (p->ran != q->ran)
        return p->ran < q->ran ? -1 : 1;
    return p->groups[0] < q->groups[0] ? -1 : p->groups[0] > q->groups[0];
}

static void find_waited_for(struct searching *s)
{
    for (uint32_t g = 0; g < s->graph->group_count; g++)
        s->owner[g] = 0;
    for (uint32_t c = 0; c < s->count; c++)
        for (uint32_t i = 0; i < s->candidates[c].group_count; i++)
            s->owner[s->candidates[c].groups[i]] = 1 + c;
    for (uint32_t e = 0; e < s->graph->edge_count; e++) {
        const struct wait_edge *edge = &s->graph->edges[e];
        uint32_t owner = s->owner[edge->to];
        if (s->searched[e] && owner && s->owner[edge->from] != owner &&
            s->graph->groups[edge->from].of_run)
            s->candidates[owner - 1].waited_for = true;
    }
}

static void set_aside(struct searching *s, const struct candidate *candidate,
                      enum background_reason reason)
{
    struct background_part part = {
        .groups = memory_alloc((candidate->group_count + 1) * sizeof *part.groups),
        .group_count = candidate->group_count,
        .reason = reason,
        .ran = s->recorded ? (double)candidate->ran / (double)s->recorded : 0};
    for (uint32_t i = 0; i < candidate->group_count; i++) {
        part.groups[i] = candidate->groups[i];
        s->gone[part.groups[i]] = true;
    }
    s->aside += candidate->ran;
    VEC_PUSH(s->background->parts, s->background->count, s->background->capacity) = part;
}

/* Whether any was. */
static bool set_candidates_aside(struct searching *s, enum background_reason reason)
{
    size_t before = s->background->count;
    if (s->count)
        qsort(s->candidates, s->count, sizeof *s->candidates, by_running);
    find_waited_for(s);
    for (size_t c = 0; c < s->count; c++)
        if (!s->candidates[c].waited_for && 2 * (s->aside + s->candidates[c].ran) < s->running->ran)
            set_aside(s, &s->candidates[c], reason);
    s->count = 0;
    for (uint32_t e = 0; e < s->graph->edge_count; e++)
        s->searched[e] &= !s->gone[s->graph->edges[e].from] && !s->gone[s->graph->edges[e].to];
    return s->background->count > before;
}

/* Edges stand by their share: the first one of a group is its longest wait. */
static bool *those_that_sleep(const struct searching *s)
{
    bool *sleeps = memory_zeroed(s->graph->group_count + 1);
    bool *seen = memory_zeroed(s->graph->group_count + 1);
    for (uint32_t e = 0; e < s->graph->edge_count; e++) {
        const struct wait_edge *edge = &s->graph->edges[e];
        if (!s->searched[e])
            continue;
        if (!seen[edge->from])
            sleeps[edge->from] = s->graph->groups[edge->to].kind == VERTEX_TIMER;
        seen[edge->from] = true;
        if (is_io(&s->graph->groups[edge->to]))
            sleeps[edge->from] = false;
    }
    memory_free(seen);
    return sleeps;
}

static bool set_sleepers_aside(struct searching *s)
{
    bool *sleeps = those_that_sleep(s);
    uint32_t *sleepers = memory_alloc((s->graph->group_count + 1) * sizeof *sleepers);
    for (uint32_t g = 0; g < s->graph->group_count; g++) {
        sleepers[g] = g;
        if (sleeps[g])
            add_candidate(s, &sleepers[g], 1);
    }
    bool any = set_candidates_aside(s, BACKGROUND_SLEEPS);
    memory_free(sleepers);
    memory_free(sleeps);
    return any;
}

static bool set_knots_aside(struct searching *s)
{
    struct knot_list knots;
    knot_list_find(&knots, s->graph, s->searched);
    for (uint32_t k = 0; k < knots.count; k++)
        if (knots.items[k].group_count > 1)
            add_candidate(s, knots.items[k].groups, knots.items[k].group_count);
    bool any = set_candidates_aside(s, BACKGROUND_KNOT);
    knot_list_release(&knots);
    return any;
}

void background_find(struct background *background, const struct wait_graph *graph,
                     const struct running *running, time_ns recorded, bool *searched)
{
    struct searching s = {.background = background,
                          .graph = graph,
                          .running = running,
                          .recorded = recorded,
                          .searched = searched,
                          .gone = memory_zeroed(graph->group_count + 1),
                          .owner = memory_zeroed((graph->group_count + 1) * sizeof *s.owner)};
    *background = (struct background){0};
    while (set_sleepers_aside(&s) || set_knots_aside(&s))
        ;
    memory_free(s.candidates);
    memory_free(s.owner);
    memory_free(s.gone);
}

void background_mark(const struct background *background, bool *groups)
{
    for (size_t i = 0; i < background->count; i++)
        for (uint32_t g = 0; g < background->parts[i].group_count; g++)
            groups[background->parts[i].groups[g]] = true;
}

void background_release(struct background *background)
{
    for (size_t i = 0; i < background->count; i++)
        memory_free(background->parts[i].groups);
    memory_free(background->parts);
    *background = (struct background){0};
}
