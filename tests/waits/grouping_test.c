/* alike.h, wait_graph.h: which threads are one group, and what a group waits: the known answer of the method's
 * notes, and threads whose waits are drawn by lot.
 *
 *     G = {1, 2}    w(1,3) 10  w(2,3) 20  w(3,1) 6  w(3,2) 4  w(1,2) 8  w(2,1) 2 of 100
 *                   G waits for 3: 15; 3 for G: 10; those of G for each other: 5
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "waits/alike.h"
#include "waits/wait_graph.h"

enum { TASKS = 16, WINDOW = 1000, EDGES = 64 };

static struct kernel_task tasks[TASKS];
static struct timeline_thread threads[TASKS];
static struct timelines run;
static struct kernel_side side;
static struct vertex_table vertices;
static struct cascade cascade;
static struct cascade_edge edges[EDGES];
static struct wait_list waits;
static struct wait_graph graph;

/* Thread t of the run is called names[t], of one process. */
static void begin(uint32_t count, const char *const *names)
{
    memset(tasks, 0, sizeof tasks);
    memset(threads, 0, sizeof threads);
    memset(edges, 0, sizeof edges);
    for (uint32_t t = 0; t < count; t++)
        tasks[t] = (struct kernel_task){.pid = 1000,
                                        .tid = t,
                                        .name = t ? names[t - 1] : "idle",
                                        .thread = t,
                                        .whose = TRACE_WHOSE_RUN,
                                        .maker = TASK_NONE,
                                        .ended = INT64_MAX};
    run = (struct timelines){.threads = threads, .thread_count = count};
    side = (struct kernel_side){.tasks = tasks, .task_count = count};
    vertex_table_init(&vertices, &side);
    vertices.run = &run;
    cascade = (struct cascade){.vertices = &vertices, .edges = edges};
    cascade.blame = memory_zeroed((vertices.count + 1) * sizeof *cascade.blame);
    waits = (struct wait_list){.recorded = WINDOW * CASCADE_WINDOWS};
    waits.unfinished = memory_zeroed((vertices.count + 1) * sizeof *waits.unfinished);
    for (uint32_t w = 0; w <= CASCADE_WINDOWS; w++)
        cascade.borders[w] = WINDOW * (time_ns)w;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        cascade.recorded[w] = WINDOW;
}

static struct cascade_edge *waits_for(uint32_t who, uint32_t whom, time_ns in_each_window)
{
    struct cascade_edge *edge = &edges[cascade.edge_count++];
    *edge = (struct cascade_edge){.who = who, .whom = whom, .count = 400};
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        edge->raw[w] = edge->cascaded[w] = edge->leaf[w] = in_each_window;
    return edge;
}

static void fill(void)
{
    struct device_idle idle = {0};
    wait_graph_fill(&graph, &cascade, &waits, &idle);
}

static void end(void)
{
    wait_graph_release(&graph);
    memory_free(cascade.blame);
    memory_free(waits.unfinished);
}

static double share(uint32_t who, uint32_t whom)
{
    for (uint32_t e = 0; e < graph.edge_count; e++)
        if (graph.edges[e].from == graph.group_of[who] && graph.edges[e].to == graph.group_of[whom])
            return graph.edges[e].raw_share.value;
    return 0;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static bool are_one(uint32_t a, uint32_t b)
{
    return graph.group_of[a] == graph.group_of[b];
}

static void weights_of_a_group(void)
{
    begin(4, (const char *[]){"g", "g", "x"});
    waits_for(1, 3, 100);
    waits_for(2, 3, 200);
    waits_for(3, 1, 60);
    waits_for(3, 2, 40);
    waits_for(1, 2, 80);
    waits_for(2, 1, 20);
    fill();
    const struct wait_group *group = &graph.groups[graph.group_of[1]];
    CHECK(are_one(1, 2) && group->members == 2 && group->threads == 2 && !group->parted);
    CHECK(is_near(share(1, 3), 0.15) && is_near(share(3, 1), 0.10));
    CHECK(is_near((double)group->within / (2.0 * WINDOW * CASCADE_WINDOWS), 0.05));
    end();
}

/* By their start functions, where these are known; and by their names but for numbers. */
static void by_start_function(void)
{
    begin(9, (const char *[]){"w-1", "w-22", "w-3", "io-1", "w-1", "w-2", "same", "same"});
    for (uint32_t t = 1; t < 5; t++)
        threads[t].routine = 0x1000;
    threads[3].routine = 0x2000;
    fill();
    CHECK(are_one(1, 2) && strcmp(graph.groups[graph.group_of[1]].name, "w-#") == 0);
    CHECK(!are_one(1, 3) && !are_one(1, 4) && !are_one(1, 5) && !are_one(5, 6) && are_one(7, 8));
    CHECK(strcmp(graph.groups[graph.group_of[7]].name, "same") == 0);
    end();
}

static const char *const alike_names[] = {"w", "w", "w", "w", "w", "w", "x", "y"};

/* Of 1 to 6, the first three wait for 7, the others for 8. */
static void two_trades(void)
{
    begin(9, alike_names);
    for (uint32_t t = 1; t <= 6; t++)
        waits_for(t, t <= 3 ? 7 : 8, 600);
    fill();
    CHECK(are_one(1, 2) && are_one(2, 3) && are_one(4, 5) && are_one(5, 6) && !are_one(3, 4));
    CHECK(is_near(share(1, 7), 0.6) && is_near(share(4, 8), 0.6) && share(1, 8) == 0);
    const struct wait_group *first = &graph.groups[graph.group_of[1]],
                            *second = &graph.groups[graph.group_of[4]];
    CHECK(first->members == 3 && second->members == 3 && first->parted && second->parted);
    CHECK(first->part == 0 && second->part == 1);
    end();
}

static void three_trades(void)
{
    begin(9, alike_names);
    for (uint32_t t = 1; t <= 6; t++)
        if (t > 2)
            waits_for(t, t <= 4 ? 7 : 8, 600);
    fill();
    CHECK(are_one(1, 2) && are_one(3, 4) && are_one(5, 6));
    CHECK(!are_one(1, 3) && !are_one(1, 5) && !are_one(3, 5));
    end();
}

/* Surely, but not by much. */
static void differ_by_little(void)
{
    begin(9, alike_names);
    for (uint32_t t = 1; t <= 6; t++)
        waits_for(t, 7, t <= 3 ? 500 : 600);
    fill();
    CHECK(are_one(1, 6));
    end();
}

/* By much, but it may be chance: each has its turn in four of the windows. */
static void take_turns(void)
{
    begin(6, (const char *[]){"w", "w", "w", "w", "w"});
    for (uint32_t t = 1; t <= 5; t++) {
        struct cascade_edge *edge = waits_for(t, vertex_of_kind(&vertices, VERTEX_TIMER), 0);
        for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
            edge->raw[w] = w % 5 == t - 1 ? WINDOW : 0;
    }
    fill();
    CHECK(are_one(1, 5));
    end();
}

/* Who was made in the middle did the same as long as it was there. */
static void made_later(void)
{
    begin(9, alike_names);
    for (uint32_t t = 1; t <= 6; t++) {
        struct cascade_edge *edge = waits_for(t, 7, 600);
        for (uint32_t w = 0; t > 3 && w < CASCADE_WINDOWS / 2; w++)
            edge->raw[w] = 0;
        if (t > 3) {
            tasks[t].maker = 1;
            tasks[t].seen = WINDOW * CASCADE_WINDOWS / 2;
        }
    }
    fill();
    CHECK(are_one(1, 6));
    end();
}

/* By lot: of those that are alike, one group in a hundred may be cut. */
static void by_lot(void)
{
    uint64_t random = 7;
    uint32_t cut = 0;
    for (int round = 0; round < 400; round++) {
        begin(7, (const char *[]){"w", "w", "w", "w", "w", "w"});
        for (uint32_t t = 1; t <= 6; t++) {
            struct cascade_edge *edge = waits_for(t, vertex_of_kind(&vertices, VERTEX_TIMER), 0);
            for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
                edge->raw[w] = hash_mix(random++) % 2 ? WINDOW : 0;
        }
        fill();
        cut += graph.groups[graph.group_of[1]].parted;
        end();
    }
    CHECK(cut <= 400 * ALIKE_LEVEL + 6);
}

/* One long wait of each is one observation: nothing is sure. Of 200 waits, which are as long in all, it is. */
static void long_waits(void)
{
    for (uint64_t count = 1; count <= 200; count += 199) {
        begin(9, alike_names);
        for (uint32_t t = 1; t <= 6; t++)
            waits_for(t, t <= 3 ? 7 : 8, 600)->count = count;
        fill();
        CHECK(are_one(1, 6) == (count == 1));
        end();
    }
}

int main(void)
{
    long_waits();
    weights_of_a_group();
    by_start_function();
    two_trades();
    three_trades();
    differ_by_little();
    take_turns();
    made_later();
    by_lot();
    return CHECK_DONE();
}
