#include "waits/knot.h"

#include <stdlib.h>

#include "base/memory.h"

struct finding {
    const struct wait_graph *graph;
    struct knot *knots;
    size_t count, capacity;
    struct knot_step *steps; /* of the path to what is looked at */
    size_t step_count, step_capacity;
    sink_scratch *scratch;
};

/* A disk that nobody waits for may idle. */
static void drop_idle_devices(const struct wait_graph *graph, bool *counts)
{
    bool *wanted = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        wanted[graph->edges[e].to] |= counts[e];
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        uint32_t from = graph->edges[e].from;
        counts[e] &= wanted[from] || graph->groups[from].kind != VERTEX_DEVICE;
    }
    memory_free(wanted);
}

bool *knot_edges(const struct wait_graph *graph)
{
    bool *counts = memory_zeroed(graph->edge_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        counts[e] = graph->edges[e].raw_share.ci95[0] > EDGE_LEAST;
    drop_idle_devices(graph, counts);
    return counts;
}

static double weight_of(const struct wait_graph *graph, uint32_t edge)
{
    return graph->edges[edge].cascaded_share.value;
}

static uint32_t *copy_of(const uint32_t *numbers, uint32_t count)
{
    uint32_t *copy = memory_alloc((count + 1) * sizeof *copy);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = numbers[i];
    return copy;
}

static void add_knot(struct finding *f, const struct part *part)
{
    struct knot knot = {.groups = copy_of(part->groups, part->group_count),
                        .group_count = part->group_count,
                        .edges = copy_of(part->edges, part->edge_count),
                        .edge_count = part->edge_count,
                        .steps = memory_alloc((f->step_count + 1) * sizeof *knot.steps),
                        .step_count = (uint32_t)f->step_count};
    for (size_t i = 0; i < f->step_count; i++) {
        knot.steps[i] = f->steps[i];
        knot.steps[i].removed = copy_of(f->steps[i].removed, f->steps[i].removed_count);
    }
    VEC_PUSH(f->knots, f->count, f->capacity) = knot;
}

/* ---- refinement ---- */

struct weighed {
    double weight;
    uint32_t edge;
};

static int by_weight(const void *a, const void *b)
{
    const struct weighed *p = a, *q = b;
    if (p->weight != q->weight)
        return p->weight < q->weight ? -1 : 1;
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

/* The part's edges, the least first. */
static struct weighed *weigh(const struct wait_graph *graph, const struct part *part)
{
    struct weighed *weighed = memory_alloc((part->edge_count + 1) * sizeof *weighed);
    for (uint32_t i = 0; i < part->edge_count; i++)
        weighed[i] = (struct weighed){weight_of(graph, part->edges[i]), part->edges[i]};
    if (part->edge_count)
        qsort(weighed, part->edge_count, sizeof *weighed, by_weight);
    return weighed;
}

/* What of the part weighs more. */
static struct part heavier(const struct wait_graph *graph, const struct part *part, double weight)
{
    struct part left = {.groups = copy_of(part->groups, part->group_count),
                        .group_count = part->group_count,
                        .edges = memory_alloc((part->edge_count + 1) * sizeof *left.edges)};
    for (uint32_t i = 0; i < part->edge_count; i++)
        if (weight_of(graph, part->edges[i]) > weight)
            left.edges[left.edge_count++] = part->edges[i];
    return left;
}

/* Is it enough to take away the first `removed` edges? One circle has as many edges as groups: what has
 * fewer has fallen apart. Once it is enough, it stays so if more are taken away. */
static bool is_enough(struct finding *f, const struct part *part, const struct weighed *weighed,
                      uint32_t removed)
{
    if (part->edge_count - removed <= part->group_count || weighed[removed].weight > KNOT_THRESHOLD)
        return true;
    struct part left = heavier(f->graph, part, weighed[removed - 1].weight);
    bool apart = part_components(f->graph, &left, f->scratch) > 1;
    part_release(&left);
    return apart;
}

/* How many of the least edges have to go, all of one weight at once: log E searches for components. */
static uint32_t count_removed(struct finding *f, const struct part *part,
                              const struct weighed *weighed)
{
    uint32_t *ends = memory_alloc((part->edge_count + 1) * sizeof *ends); /* by distinct weight */
    uint32_t count = 0, low = 0;
    for (uint32_t i = 1; i <= part->edge_count; i++)
        if (i == part->edge_count || weighed[i].weight > weighed[i - 1].weight)
            ends[count++] = i;
    for (uint32_t high = count - 1; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (is_enough(f, part, weighed, ends[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    uint32_t removed = ends[low];
    memory_free(ends);
    return removed;
}

static void look_at_sinks(struct finding *f, const struct part *part);

/* The part is one component with a circle at least. */
static void refine(struct finding *f, const struct part *part)
{
    struct weighed *weighed = weigh(f->graph, part);
    if (part->edge_count <= part->group_count || weighed[0].weight > KNOT_THRESHOLD) {
        memory_free(weighed);
        add_knot(f, part);
        return;
    }
    struct knot_step step = {.removed_count = count_removed(f, part, weighed)};
    step.removed = memory_alloc((step.removed_count + 1) * sizeof *step.removed);
    for (uint32_t i = 0; i < step.removed_count; i++)
        step.removed[i] = weighed[i].edge;
    step.weight = weighed[step.removed_count - 1].weight;
    memory_free(weighed);
    struct part left = heavier(f->graph, part, step.weight);
    VEC_PUSH(f->steps, f->step_count, f->step_capacity) = step;
    look_at_sinks(f, &left);
    f->step_count--;
    memory_free(step.removed);
    part_release(&left);
}

static void look_at_sinks(struct finding *f, const struct part *part)
{
    struct sinks sinks;
    sinks_find(&sinks, f->graph, part, f->scratch);
    for (uint32_t i = 0; i < sinks.count; i++) {
        if (sinks.items[i].group_count == 1)
            add_knot(f, &sinks.items[i]);
        else
            refine(f, &sinks.items[i]);
    }
    sinks_release(&sinks);
}

/* A group without an edge that counts neither waits nor is waited for. */
static struct part with_edges(const struct wait_graph *graph, const bool *counts)
{
    struct part part = {.groups = memory_alloc((graph->group_count + 1) * sizeof *part.groups),
                        .edges = memory_alloc((graph->edge_count + 1) * sizeof *part.edges)};
    bool *present = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (counts[e]) {
            part.edges[part.edge_count++] = e;
            present[graph->edges[e].from] = present[graph->edges[e].to] = true;
        }
    for (uint32_t g = 0; g < graph->group_count; g++)
        if (present[g])
            part.groups[part.group_count++] = g;
    memory_free(present);
    return part;
}

static time_ns blamed(const struct wait_graph *graph, const struct knot *knot)
{
    time_ns sum = 0;
    for (uint32_t i = 0; i < knot->group_count; i++)
        sum += graph->groups[knot->groups[i]].blamed;
    return sum;
}

/* Who waits for a packet, a time or what is not known waits for nobody whose work one could mend. */
static unsigned rank(const struct wait_graph *graph, const struct knot *knot)
{
    enum vertex_kind kind = graph->groups[knot->groups[0]].kind;
    return knot->group_count > 1 || kind == VERTEX_THREAD || kind == VERTEX_DEVICE ? 0
           : kind == VERTEX_NETWORK                                                ? 1
                                                                                   : 2;
}

struct ranked {
    struct knot knot;
    unsigned rank;
    time_ns blamed;
    size_t found;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    if (p->blamed != q->blamed)
        return p->blamed > q->blamed ? -1 : 1;
    return p->found < q->found ? -1 : p->found > q->found;
}

static void sort(const struct wait_graph *graph, struct knot *knots, size_t count)
{
    struct ranked *ranked = memory_alloc((count + 1) * sizeof *ranked);
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){knots[i], rank(graph, &knots[i]), blamed(graph, &knots[i]), i};
    if (count)
        qsort(ranked, count, sizeof *ranked, by_rank);
    for (size_t i = 0; i < count; i++)
        knots[i] = ranked[i].knot;
    memory_free(ranked);
}

void knot_list_find(struct knot_list *knots, const struct wait_graph *graph, const bool *counts)
{
    struct finding f = {.graph = graph,
                        .scratch = memory_alloc((graph->group_count + 1) * sizeof *f.scratch)};
    struct part part = with_edges(graph, counts);
    look_at_sinks(&f, &part);
    sort(graph, f.knots, f.count);
    *knots = (struct knot_list){f.knots, (uint32_t)f.count};
    memory_free(f.steps);
    memory_free(f.scratch);
    part_release(&part);
}

void knot_list_release(struct knot_list *knots)
{
    for (uint32_t i = 0; i < knots->count; i++) {
        struct knot *knot = &knots->items[i];
        for (uint32_t s = 0; s < knot->step_count; s++)
            memory_free(knot->steps[s].removed);
        memory_free(knot->steps);
        memory_free(knot->groups);
        memory_free(knot->edges);
    }
    memory_free(knots->items);
    *knots = (struct knot_list){0};
}
