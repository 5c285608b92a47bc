/* knot.h: the known answers of the method's notes, and graphs worked out by hand. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "waits/knot.h"

enum { MOST = 16 };

struct drawn {
    const char *edge; /* "AB": A waits for B */
    double percent;
};

static struct wait_group groups[MOST];
static struct wait_edge edges[MOST];
static struct wait_graph graph;

/* Their intervals are narrow, and each share is both raw and cascaded. */
static struct knot_list knots_of(const struct drawn *drawn)
{
    static bool counts[MOST];
    struct knot_list knots;
    memset(groups, 0, sizeof groups);
    memset(edges, 0, sizeof edges);
    graph = (struct wait_graph){.groups = groups, .edges = edges};
    for (const struct drawn *edge = drawn; edge->edge; edge++) {
        struct wait_share share = {edge->percent / 100, {edge->percent / 110, edge->percent / 90}};
        uint32_t from = (uint32_t)(edge->edge[0] - 'A'), to = (uint32_t)(edge->edge[1] - 'A');
        edges[graph.edge_count++] =
            (struct wait_edge){.from = from, .to = to, .raw_share = share, .cascaded_share = share};
        graph.group_count = from >= graph.group_count ? from + 1 : graph.group_count;
        graph.group_count = to >= graph.group_count ? to + 1 : graph.group_count;
        groups[from].kind = groups[to].kind = VERTEX_THREAD;
        groups[to].blamed += (time_ns)(edge->percent * 1000);
    }
    for (uint32_t e = 0; e < graph.edge_count; e++)
        counts[e] = true;
    knot_list_find(&knots, &graph, counts);
    return knots;
}

static bool is_of(const struct knot *knot, const char *names)
{
    if (knot->group_count != strlen(names))
        return false;
    for (uint32_t i = 0; i < knot->group_count; i++)
        if (!strchr(names, (int)('A' + knot->groups[i])))
            return false;
    return true;
}

static void nothing_is_removed_above_the_threshold(void)
{
    struct knot_list knots = knots_of(
        (struct drawn[]){{"AB", 60}, {"BA", 50}, {"BC", 40}, {"CA", 30}, {"AC", 25}, {NULL, 0}});
    CHECK(knots.count == 1 && is_of(&knots.items[0], "ABC"));
    CHECK(knots.items[0].edge_count == 5 && knots.items[0].step_count == 0);
    knot_list_release(&knots);
}

static void two_knots(void)
{
    struct knot_list knots = knots_of((struct drawn[]){
        {"AB", 30}, {"BA", 30}, {"CD", 40}, {"DC", 10}, {"EA", 5}, {"EC", 5}, {NULL, 0}});
    CHECK(knots.count == 2);
    CHECK(is_of(&knots.items[0], "AB") && is_of(&knots.items[1], "CD"));
    knot_list_release(&knots);
}

static void a_sink(void)
{
    struct knot_list knots = knots_of((struct drawn[]){{"AB", 70}, {"CB", 50}, {NULL, 0}});
    CHECK(knots.count == 1 && is_of(&knots.items[0], "B") && knots.items[0].edge_count == 0);
    knot_list_release(&knots);
}

/* The two edges of 15 % are one weight, and go together: what is left are A with B, and C with D, which
 * waits for the former. */
static void equal_weights_go_together(void)
{
    struct knot_list knots = knots_of((struct drawn[]){{"AB", 60},
                                                       {"BA", 60},
                                                       {"CD", 50},
                                                       {"DC", 50},
                                                       {"AC", 15},
                                                       {"BD", 15},
                                                       {"CA", 18},
                                                       {NULL, 0}});
    CHECK(knots.count == 1 && is_of(&knots.items[0], "AB"));
    CHECK(knots.items[0].step_count == 1 && knots.items[0].steps[0].removed_count == 2);
    CHECK(knots.items[0].steps[0].weight > 0.149 && knots.items[0].steps[0].weight < 0.151);
    knot_list_release(&knots);
}

static void one_circle_is_not_refined(void)
{
    struct knot_list knots =
        knots_of((struct drawn[]){{"AB", 60}, {"BC", 5}, {"CA", 4}, {NULL, 0}});
    CHECK(knots.count == 1 && is_of(&knots.items[0], "ABC") && knots.items[0].edge_count == 3);
    knot_list_release(&knots);
}

/* A handles what B answers, who naps meanwhile (C): the nap is no way out. One that naps by itself waits for the
 * timer; and where two that nap wait for D, D is what they wait for. */
static void a_nap_is_no_way_out(void)
{
    struct drawn drawn[] = {{"AB", 98}, {"BA", 2}, {"BC", 97}, {NULL, 0}, {NULL, 0}};
    for (unsigned others = 0; others < 2; others++) {
        if (others)
            drawn[3] = (struct drawn){"BD", 30};
        struct knot_list unused = knots_of(drawn), knots;
        static const bool counts[] = {true, true, true, true};
        groups[2].kind = VERTEX_TIMER;
        knot_list_find(&knots, &graph, counts);
        CHECK(knots.count == 2 && is_of(&knots.items[0], others ? "D" : "AB"));
        CHECK(is_of(&knots.items[1], "C") && knots.items[0].edge_count == (others ? 0 : 2));
        knot_list_release(&unused);
        knot_list_release(&knots);
    }
    struct knot_list unused = knots_of((struct drawn[]){{"AB", 80}, {NULL, 0}}), knots;
    groups[1].kind = VERTEX_TIMER;
    knot_list_find(&knots, &graph, (const bool[]){true});
    CHECK(knots.count == 1 && is_of(&knots.items[0], "B"));
    knot_list_release(&unused);
    knot_list_release(&knots);
}

static void nobody_waits(void)
{
    struct knot_list knots = knots_of((struct drawn[]){{NULL, 0}});
    CHECK(knots.count == 0);
    knot_list_release(&knots);
}

/* A, of the run, waits for the disk B; that for A, and for the worker C. */
static void a_disk_waits_for_the_run(void)
{
    struct drawn drawn[] = {{"AB", 40}, {"BA", 20}, {"BC", 7}, {NULL, 0}, {NULL, 0}};
    for (unsigned waits_for_c = 0; waits_for_c < 2; waits_for_c++) {
        if (waits_for_c)
            drawn[3] = (struct drawn){"AC", 5};
        struct knot_list unused = knots_of(drawn);
        groups[0].kind = groups[2].kind = VERTEX_THREAD;
        groups[1].kind = VERTEX_DEVICE;
        groups[0].of_run = true;
        bool *counts = knot_edges(&graph);
        CHECK(counts[0] && counts[1] && counts[2] == (waits_for_c == 1));
        memory_free(counts);
        knot_list_release(&unused);
    }
}

int main(void)
{
    nothing_is_removed_above_the_threshold();
    two_knots();
    a_sink();
    equal_weights_go_together();
    one_circle_is_not_refined();
    a_nap_is_no_way_out();
    nobody_waits();
    a_disk_waits_for_the_run();
    return CHECK_DONE();
}
