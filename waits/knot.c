#include "waits/knot.h"

#include <stdlib.h>

#include "base/memory.h"

struct finding {
    const struct wait_graph *graph;
    struct knot *knots;
    size_t count, capacity;
    struct knot_step *steps; /* of the path to what is looked at */
    size_t step_count, step_capacity;
};

bool *knot_edges(const struct wait_graph *graph)
{
    bool *counts = memory_zeroed(graph->edge_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        counts[e] = graph->edges[e].raw_share.ci95[0] > EDGE_LEAST;
    return counts;
}

static double weight_of(const struct wait_graph *graph, uint32_t edge)
{
    return graph->edges[edge].cascaded_share.value;
}

static struct knot_step copy_of(const struct knot_step *step)
{
    struct knot_step copy = *step;
    copy.removed = memory_alloc((step->removed_count + 1) * sizeof *copy.removed);
    for (uint32_t i = 0; i < step->removed_count; i++)
        copy.removed[i] = step->removed[i];
    return copy;
}

static bool is_inside(const struct wait_graph *graph, uint32_t edge, const bool *kept,
                      const bool *present)
{
    return kept[edge] && present[graph->edges[edge].from] && present[graph->edges[edge].to];
}

/* Of the groups that are present; the edges between them that are kept. */
static void add_knot(struct finding *f, const bool *kept, const bool *present)
{
    const struct wait_graph *graph = f->graph;
    struct knot knot = {.groups = memory_zeroed((graph->group_count + 1) * sizeof *knot.groups),
                        .edges = memory_zeroed((graph->edge_count + 1) * sizeof *knot.edges),
                        .steps = memory_zeroed((f->step_count + 1) * sizeof *knot.steps),
                        .step_count = (uint32_t)f->step_count};
    for (uint32_t g = 0; g < graph->group_count; g++)
        if (present[g])
            knot.groups[knot.group_count++] = g;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (is_inside(graph, e, kept, present))
            knot.edges[knot.edge_count++] = e;
    for (size_t i = 0; i < f->step_count; i++)
        knot.steps[i] = copy_of(&f->steps[i]);
    VEC_PUSH(f->knots, f->count, f->capacity) = knot;
}

/* Each group waits for one, and is waited for by one. */
static bool is_circle(const struct wait_graph *graph, const bool *kept, const bool *present)
{
    uint32_t edges = 0, groups = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        edges += is_inside(graph, e, kept, present);
    for (uint32_t g = 0; g < graph->group_count; g++)
        groups += present[g];
    return edges <= groups;
}

/* The least weight of an edge inside; negative: there is none. */
static double least_weight(const struct wait_graph *graph, const bool *kept, const bool *present)
{
    double least = -1;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (is_inside(graph, e, kept, present) && (least < 0 || weight_of(graph, e) < least))
            least = weight_of(graph, e);
    return least;
}

static void remove_weight(const struct wait_graph *graph, struct knot_step *step, bool *kept,
                          const bool *present, double weight)
{
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (is_inside(graph, e, kept, present) && weight_of(graph, e) <= weight) {
            kept[e] = false;
            step->removed[step->removed_count++] = e;
        }
    step->weight = weight;
}

static bool is_one_component(const struct wait_graph *graph, const bool *kept, const bool *present)
{
    struct sinks parts;
    uint32_t components = 0;
    sinks_find(&parts, graph, kept, present);
    for (uint32_t c = 0; c < parts.components; c++)
        components += parts.size[c] > 0;
    sinks_release(&parts);
    return components == 1;
}

static void look_at_sinks(struct finding *f, const bool *kept, const bool *present);

/* The groups that are present are one component with a circle at least. */
static void refine(struct finding *f, const bool *kept, const bool *present)
{
    const struct wait_graph *graph = f->graph;
    if (is_circle(graph, kept, present) || least_weight(graph, kept, present) > KNOT_THRESHOLD) {
        add_knot(f, kept, present);
        return;
    }
    bool *left = memory_zeroed(graph->edge_count + 1);
    struct knot_step step = {.removed =
                                 memory_zeroed((graph->edge_count + 1) * sizeof *step.removed)};
    for (uint32_t e = 0; e < graph->edge_count; e++)
        left[e] = kept[e];
    double least;
    do {
        least = least_weight(graph, left, present);
        remove_weight(graph, &step, left, present, least);
    } while (is_one_component(graph, left, present) && !is_circle(graph, left, present) &&
             least_weight(graph, left, present) <= KNOT_THRESHOLD);
    VEC_PUSH(f->steps, f->step_count, f->step_capacity) = step;
    look_at_sinks(f, left, present);
    f->step_count--;
    memory_free(step.removed);
    memory_free(left);
}

static void look_at(struct finding *f, const bool *kept, const bool *present,
                    const struct sinks *parts, uint32_t component)
{
    bool *inside = memory_zeroed(f->graph->group_count + 1);
    for (uint32_t g = 0; g < f->graph->group_count; g++)
        inside[g] = present[g] && parts->component_of[g] == component;
    if (parts->size[component] == 1)
        add_knot(f, kept, inside);
    else
        refine(f, kept, inside);
    memory_free(inside);
}

static void look_at_sinks(struct finding *f, const bool *kept, const bool *present)
{
    struct sinks parts;
    sinks_find(&parts, f->graph, kept, present);
    for (uint32_t c = 0; c < parts.components; c++)
        if (parts.sink[c])
            look_at(f, kept, present, &parts, c);
    sinks_release(&parts);
}

/* A group without an edge that counts neither waits nor is waited for. */
static bool *with_edges(const struct wait_graph *graph, const bool *counts)
{
    bool *present = memory_zeroed(graph->group_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (counts[e])
            present[graph->edges[e].from] = present[graph->edges[e].to] = true;
    return present;
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

static bool stands_before(const struct wait_graph *graph, const struct knot *a,
                          const struct knot *b)
{
    unsigned rank_a = rank(graph, a), rank_b = rank(graph, b);
    return rank_a != rank_b ? rank_a < rank_b : blamed(graph, a) > blamed(graph, b);
}

/* Insertion: they are few. */
static void sort(const struct wait_graph *graph, struct knot *knots, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && stands_before(graph, &knots[k], &knots[k - 1]); k--) {
            struct knot moved = knots[k];
            knots[k] = knots[k - 1];
            knots[k - 1] = moved;
        }
}

void knot_list_find(struct knot_list *knots, const struct wait_graph *graph, const bool *counts)
{
    struct finding f = {.graph = graph};
    bool *present = with_edges(graph, counts);
    look_at_sinks(&f, counts, present);
    sort(graph, f.knots, f.count);
    *knots = (struct knot_list){f.knots, (uint32_t)f.count};
    memory_free(f.steps);
    memory_free(present);
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
