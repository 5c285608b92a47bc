/* knot.h: refinement by bisection gives what taking away one weight after the other gives, the paper's loop,
 * which is written here as plainly as can be; on random graphs. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "waits/knot.h"

enum { GROUPS = 12, EDGES = GROUPS * (GROUPS - 1), MOST_KNOTS = GROUPS, MOST_STEPS = 64 };

static struct wait_group groups[GROUPS];
static struct wait_edge edges[EDGES];
static struct wait_graph graph;

struct reference_knot {
    bool group[GROUPS], edge[EDGES];
    double weight[MOST_STEPS];  /* by step */
    uint32_t removed_by[EDGES]; /* 1 + step, or 0 */
    uint32_t step_count;
};

static struct reference_knot found[MOST_KNOTS];
static uint32_t found_count;

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(hash_mix(random_state++) % below);
}

static void make_graph(void)
{
    uint32_t count = 2 + draw(GROUPS - 1), percent = 5 + draw(60), weights = 1 + draw(30);
    memset(groups, 0, sizeof groups);
    memset(edges, 0, sizeof edges);
    graph = (struct wait_graph){.groups = groups, .edges = edges, .group_count = count};
    for (uint32_t g = 0; g < count; g++)
        groups[g].kind = VERTEX_THREAD;
    groups[draw(count)].kind = draw(2) ? VERTEX_TIMER : VERTEX_THREAD;
    for (uint32_t from = 0; from < count; from++)
        for (uint32_t to = 0; to < count; to++) {
            struct wait_share share = {(1 + draw(weights)) / 100.0, {1, 1}};
            if (from != to && groups[from].kind != VERTEX_TIMER && draw(100) < percent)
                edges[graph.edge_count++] = (struct wait_edge){
                    .from = from, .to = to, .raw_share = share, .cascaded_share = share};
        }
}

static bool is_in(const struct reference_knot *k, uint32_t e)
{
    return k->edge[e] && k->group[edges[e].from] && k->group[edges[e].to];
}

static void reach(const struct reference_knot *k, bool reached[GROUPS][GROUPS])
{
    memset(reached, 0, sizeof(bool[GROUPS][GROUPS]));
    for (uint32_t g = 0; g < graph.group_count; g++)
        reached[g][g] = k->group[g];
    for (uint32_t e = 0; e < graph.edge_count; e++)
        if (is_in(k, e))
            reached[edges[e].from][edges[e].to] = true;
    for (uint32_t m = 0; m < graph.group_count; m++)
        for (uint32_t a = 0; a < graph.group_count; a++)
            for (uint32_t b = 0; b < graph.group_count; b++)
                reached[a][b] |= reached[a][m] && reached[m][b];
}

static bool is_one(const struct reference_knot *k)
{
    bool reached[GROUPS][GROUPS];
    reach(k, reached);
    for (uint32_t a = 0; a < graph.group_count; a++)
        for (uint32_t b = 0; b < graph.group_count; b++)
            if (k->group[a] && k->group[b] && !reached[a][b])
                return false;
    return true;
}

static bool is_circle(const struct reference_knot *k)
{
    uint32_t edge_count = 0, group_count = 0;
    for (uint32_t e = 0; e < graph.edge_count; e++)
        edge_count += is_in(k, e);
    for (uint32_t g = 0; g < graph.group_count; g++)
        group_count += k->group[g];
    return edge_count <= group_count;
}

static double least(const struct reference_knot *k)
{
    double weight = 1e9;
    for (uint32_t e = 0; e < graph.edge_count; e++)
        if (is_in(k, e) && edges[e].cascaded_share.value < weight)
            weight = edges[e].cascaded_share.value;
    return weight;
}

static void split(struct reference_knot k);

static void refine(struct reference_knot k)
{
    if (is_circle(&k) || least(&k) > KNOT_THRESHOLD) {
        found[found_count++] = k;
        return;
    }
    do {
        double weight = least(&k);
        for (uint32_t e = 0; e < graph.edge_count; e++)
            if (is_in(&k, e) && edges[e].cascaded_share.value <= weight) {
                k.edge[e] = false;
                k.removed_by[e] = 1 + k.step_count;
            }
        k.weight[k.step_count] = weight;
    } while (is_one(&k) && !is_circle(&k) && least(&k) <= KNOT_THRESHOLD);
    k.step_count++;
    split(k);
}

/* Each component that no edge leaves, but for one of several groups to a timer. */
static void split(struct reference_knot k)
{
    bool reached[GROUPS][GROUPS], seen[GROUPS] = {false};
    reach(&k, reached);
    for (uint32_t g = 0; g < graph.group_count; g++) {
        struct reference_knot part = k;
        bool leaves = false, naps = false;
        uint32_t size = 0;
        if (!k.group[g] || seen[g])
            continue;
        for (uint32_t o = 0; o < graph.group_count; o++) {
            part.group[o] = k.group[o] && reached[g][o] && reached[o][g];
            seen[o] |= part.group[o];
            size += part.group[o];
            bool out = reached[g][o] && !reached[o][g];
            leaves |= out && groups[o].kind != VERTEX_TIMER;
            naps |= out && groups[o].kind == VERTEX_TIMER;
        }
        if (size == 1 && !leaves && !naps)
            found[found_count++] = part;
        else if (size > 1 && !leaves)
            refine(part);
    }
}

static bool is_same(const struct knot *knot, const struct reference_knot *k)
{
    uint32_t inside = 0, size = 0;
    for (uint32_t g = 0; g < graph.group_count; g++)
        size += k->group[g];
    for (uint32_t e = 0; e < graph.edge_count; e++)
        inside += is_in(k, e);
    if (knot->group_count != size || knot->edge_count != inside ||
        knot->step_count != k->step_count)
        return false;
    for (uint32_t i = 0; i < knot->group_count; i++)
        if (!k->group[knot->groups[i]])
            return false;
    for (uint32_t i = 0; i < knot->edge_count; i++)
        if (!is_in(k, knot->edges[i]))
            return false;
    for (uint32_t s = 0; s < knot->step_count; s++) {
        uint32_t removed = 0;
        for (uint32_t e = 0; e < graph.edge_count; e++)
            removed += k->removed_by[e] == 1 + s;
        if (knot->steps[s].removed_count != removed || knot->steps[s].weight != k->weight[s])
            return false;
        for (uint32_t i = 0; i < removed; i++)
            if (k->removed_by[knot->steps[s].removed[i]] != 1 + s)
                return false;
    }
    return true;
}

static bool agrees(void)
{
    bool counts[EDGES], all = true;
    struct knot_list knots;
    struct reference_knot whole = {.step_count = 0};
    memset(counts, true, sizeof counts);
    for (uint32_t e = 0; e < graph.edge_count; e++)
        whole.edge[e] = whole.group[edges[e].from] = whole.group[edges[e].to] = true;
    found_count = 0;
    split(whole);
    knot_list_find(&knots, &graph, counts);
    all = knots.count == found_count;
    for (uint32_t i = 0; i < knots.count; i++) {
        bool any = false;
        for (uint32_t k = 0; k < found_count; k++)
            any |= is_same(&knots.items[i], &found[k]);
        all &= any;
    }
    knot_list_release(&knots);
    return all;
}

int main(void)
{
    uint32_t refined = 0;
    for (random_state = 1; random_state < 4000000; random_state += 1000 - random_state % 1000) {
        make_graph();
        CHECK(agrees());
        for (uint32_t k = 0; k < found_count; k++)
            refined += found[k].step_count > 1;
    }
    CHECK(refined > 100);
    return CHECK_DONE();
}
