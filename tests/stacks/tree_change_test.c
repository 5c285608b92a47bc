/* tree_change.h and path_change.h: changes worked out by hand, two versions of a program, and runs of one and
 * the same program, which do not differ. */
#include "stacks/tree_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "drawn.h"
#include "sim_calls.h"
#include "stacks/path_change.h"

enum { MOST_NODES = 256, MOST_BLOCKS = 60 };

/* A side under construction: contexts are told as "main/serve/parse". */
struct made_side {
    struct context_tree tree;
    double own[MOST_NODES * MOST_BLOCKS], units[MOST_BLOCKS], mean[MOST_NODES];
    uint32_t run_of_block[MOST_BLOCKS];
    uint32_t blocks;
};

static void side_begin(struct made_side *side, uint32_t blocks)
{
    memset(side, 0, sizeof *side);
    context_tree_init(&side->tree);
    side->blocks = blocks;
    for (uint32_t b = 0; b < blocks; b++)
        side->units[b] = 1;
}

/* A name may be followed by its file, "main/serve:server.c", or by its shape: "[p+0x10]~3". */
static uint32_t context(struct made_side *side, const char *path)
{
    uint32_t node = CONTEXT_ROOT;
    while (*path) {
        char name[64], *file, *shape;
        size_t length = strcspn(path, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        path += length + (path[length] == '/');
        file = strchr(name, ':');
        if (file)
            *file++ = 0;
        shape = strchr(name, '~');
        if (shape)
            *shape++ = 0;
        struct context_frame frame = {.function = name,
                                      .object = "program",
                                      .kind = FRAME_PROGRAM,
                                      .file = file ? file : "",
                                      .shape = shape ? strtoull(shape, NULL, 10) : 0};
        node = context_tree_child(&side->tree, node, context_frame_add(&side->tree, &frame));
    }
    return node;
}

/* In turns `own` more and less `by`: of the mean of 20 such the error is by / sqrt(19). */
static void takes(struct made_side *side, const char *path, double own, double by)
{
    uint32_t node = context(side, path);
    for (uint32_t b = 0; b < side->blocks; b++)
        side->own[node * side->blocks + b] = (own + ((b + node) % 2 ? by : -by)) * side->units[b];
    side->mean[node] = own;
}

static struct change_side side_of(const struct made_side *side, bool runs)
{
    return (struct change_side){.tree = &side->tree,
                                .own = side->own,
                                .units = side->units,
                                .blocks = side->blocks,
                                .run_of_block = runs ? side->run_of_block : NULL};
}

static struct tree_changes changes_of(const struct made_side *a, const struct made_side *b)
{
    struct change_side sides[2] = {side_of(a, false), side_of(b, false)};
    struct tree_changes changes;
    tree_changes_find(&changes, sides);
    return changes;
}

static const struct node_change *change_of(const struct tree_changes *changes, int s,
                                           struct made_side *side, const char *path)
{
    static const struct node_change none = {.change = NAN};
    uint32_t index = changes->change_of[s][context(side, path)];
    return index == CONTEXT_NONE ? &none : &changes->items[index];
}

static void release(struct tree_changes *changes, struct made_side *a, struct made_side *b)
{
    tree_changes_release(changes);
    context_tree_release(&a->tree);
    context_tree_release(&b->tree);
}

static bool near(double got, double expected)
{
    return fabs(got - expected) < 1e-6;
}

static struct made_side a, b; /* they are large */

/* The paper's way: C 35, D 8, B 2; node by node D is 7. */
static void check_diff(void)
{
    side_begin(&a, 20);
    side_begin(&b, 20);
    takes(&a, "A", 1, 0.01);
    takes(&a, "A/B", 10, 0.01);
    takes(&a, "A/C", 5, 0.01);
    takes(&b, "A", 1, 0.01);
    takes(&b, "A/B", 12, 0.01);
    takes(&b, "A/C", 40, 0.01);
    takes(&b, "A/D", 7, 0.01);
    struct tree_changes changes = changes_of(&a, &b);
    CHECK(changes.sure && changes.count == 4 && changes.told == 3 && changes.unsteady == 0);
    const struct node_change *items = changes.items;
    CHECK(near(items[0].change, 35) && items[0].node[1] == context(&b, "A/C"));
    CHECK(near(items[1].change, 7) && items[1].presence == NODE_NEW);
    CHECK(near(items[2].change, 2) && items[2].node[0] == context(&a, "A/B"));
    CHECK(near(items[3].change, 0) && !items[3].told);
    CHECK(near(items[0].own[0], 5) && near(items[0].own[1], 40));
    /* Both sides have an error of 0.01 / sqrt(19); t(19) is 2.093. */
    double half = 2.0930 * sqrt(2) * 0.01 / sqrt(19);
    CHECK(fabs(items[0].ci95[0] - (35 - half)) < 1e-5 &&
          fabs(items[0].ci95[1] - (35 + half)) < 1e-5);

    struct path_side paths_of[2] = {{&a.tree, a.mean}, {&b.tree, b.mean}};
    struct path_changes paths;
    path_changes_find(&paths, paths_of);
    CHECK(paths.count == 3);
    CHECK(near(paths.items[0].cost, 35) && paths.items[0].leaf == context(&b, "A/C"));
    CHECK(near(paths.items[1].cost, 8) && !paths.items[1].in_both);
    CHECK(near(paths.items[2].cost, 2));
    struct path_rank rank = path_changes_rank(&paths, &paths_of[1], "D");
    CHECK(rank.p_min == 2 && rank.f_min == 0);
    rank = path_changes_rank(&paths, &paths_of[1], "A");
    CHECK(rank.p_min == 1 && rank.f_min == 1);
    rank = path_changes_rank(&paths, &paths_of[1], "E");
    CHECK(rank.p_min == 0);
    path_changes_release(&paths);
    release(&changes, &a, &b);
}

static void make_version(struct made_side *side, bool second)
{
    side_begin(side, 20);
    takes(side, "main/serve", second ? 4 : 1, 0.05);
    takes(side, "main/serve/process", second ? 6 : 10, 0.05);
    takes(side, "main/serve/process/parse", 5, 0.05);
    takes(side, second ? "main/serve/process/process_rest/render" : "main/serve/process/render", 7,
          0.05);
    takes(side, second ? "main/serve/emit" : "main/serve/helper/emit", 4, 0.05);
    if (second)
        takes(side, "main/serve/process/process_rest", 4, 0.05);
    else
        takes(side, "main/serve/helper", 3, 0.05);
    takes(side, "main/crunch", second ? 3 : 8, 0.05);
    if (second)
        takes(side, "main/crunch/crunch_fast", 5, 0.05);
    takes(side, second ? "main/new_name:x.c" : "main/old_name:x.c", 6, 0.05);
    takes(side, second ? "main/new_name:x.c/inner" : "main/old_name:x.c/inner", 2, 0.05);
}

/* A function was split in two, another one inlined, one split with nothing below it, one renamed. */
static void check_versions(void)
{
    make_version(&a, false);
    make_version(&b, true);
    struct tree_changes changes = changes_of(&a, &b);
    const struct tree_match *match = &changes.match;
    CHECK(match->other[0][context(&a, "main/serve/process/render")] ==
          context(&b, "main/serve/process/process_rest/render"));
    CHECK(match->other[1][context(&b, "main/serve/emit")] == context(&a, "main/serve/helper/emit"));
    CHECK(match->other[0][context(&a, "main/old_name:x.c/inner")] ==
          context(&b, "main/new_name:x.c/inner"));
    CHECK(match->passed[0] == 1 && match->passed[1] == 1);
    CHECK(changes.told == 0);
    for (uint32_t i = 0; i < changes.count; i++)
        CHECK(changes.items[i].presence == NODE_IN_BOTH && fabs(changes.items[i].change) < 1e-6);
    const struct node_change *process = change_of(&changes, 0, &a, "main/serve/process");
    CHECK(process->joined == 1 && near(process->own[0], 10) && near(process->own[1], 10));
    CHECK(process == change_of(&changes, 1, &b, "main/serve/process/process_rest"));
    CHECK(change_of(&changes, 0, &a, "main/serve/helper") ==
          change_of(&changes, 1, &b, "main/serve"));
    release(&changes, &a, &b);
    /* What does change is found all the same, and what is new is new. */
    make_version(&a, false);
    make_version(&b, true);
    takes(&b, "main/serve/process/process_rest/render", 9, 0.05);
    takes(&b, "main/serve/audit", 7, 0.05);
    takes(&a, "main/serve/forgotten", 1, 0.05);
    changes = changes_of(&a, &b);
    CHECK(changes.told == 3);
    CHECK(change_of(&changes, 1, &b, "main/serve/audit") == &changes.items[0]);
    CHECK(changes.items[0].presence == NODE_NEW && near(changes.items[0].change, 7));
    CHECK(change_of(&changes, 0, &a, "main/serve/process/render") == &changes.items[1]);
    CHECK(changes.items[1].presence == NODE_IN_BOTH && near(changes.items[1].change, 2));
    CHECK(change_of(&changes, 0, &a, "main/serve/forgotten")->presence != NODE_NEW);
    release(&changes, &a, &b);
}

/* Two builds of a stripped program: functions begin elsewhere, 2 was mended, and 5 begins where 4 did. */
static void check_stripped(void)
{
    side_begin(&a, 20);
    side_begin(&b, 20);
    takes(&a, "[p+0x10]~1", 1, 0.01);
    takes(&b, "[p+0x18]~1", 1, 0.01);
    takes(&a, "[p+0x10]~1/[p+0x20]~2", 1, 0.01);
    takes(&b, "[p+0x18]~1/[p+0x28]~9", 8, 0.01);
    takes(&a, "[p+0x10]~1/[p+0x20]~2/[p+0x30]~3", 4, 0.01);
    takes(&b, "[p+0x18]~1/[p+0x28]~9/[p+0x50]~3", 4, 0.01);
    takes(&a, "[p+0x10]~1/[p+0x40]~4", 3, 0.01);
    takes(&b, "[p+0x18]~1/[p+0x48]~4", 3, 0.01);
    takes(&a, "[p+0x10]~1/[p+0x48]~5", 2, 0.01);
    takes(&b, "[p+0x18]~1/[p+0x60]~5", 2, 0.01);
    struct tree_changes changes = changes_of(&a, &b);
    CHECK(changes.told == 1 && near(changes.items[0].change, 7));
    CHECK(changes.items[0].node[1] == context(&b, "[p+0x18]~1/[p+0x28]~9"));
    CHECK(changes.match.passed[0] == 0 && changes.match.passed[1] == 0);
    for (uint32_t i = 0; i < changes.count; i++)
        CHECK(changes.items[i].presence == NODE_IN_BOTH);
    release(&changes, &a, &b);
}

/* More requests are no change, and neither is what differs within one side. */
static void check_units(void)
{
    side_begin(&a, 20);
    side_begin(&b, 20);
    for (uint32_t i = 0; i < 20; i++)
        b.units[i] = 3;
    takes(&a, "f", 5, 0.01);
    takes(&b, "f", 5, 0.01);
    takes(&a, "g", 5, 0.01);
    takes(&b, "g", 11, 0.01);
    for (uint32_t i = 10; i < 20; i++) /* later it is 5 more, and 2.5 in the mean */
        a.own[context(&a, "g") * 20 + i] += 5;
    struct tree_changes changes = changes_of(&a, &b);
    CHECK(near(change_of(&changes, 0, &a, "f")->change, 0) && changes.told == 0);
    CHECK(near(change_of(&changes, 0, &a, "g")->floor, 5) && changes.unsteady == 1);
    release(&changes, &a, &b);
    /* Too few blocks tell nothing. */
    side_begin(&a, 19);
    side_begin(&b, 20);
    takes(&a, "f", 5, 0.01);
    takes(&b, "f", 8, 0.01);
    changes = changes_of(&a, &b);
    CHECK(!changes.sure && changes.told == 0 && isinf(changes.items[0].ci95[1]));
    CHECK(fabs(changes.items[0].change - 3) < 0.01);
    release(&changes, &a, &b);
}

/* Three runs of 20 blocks a side, which differ more from each other than their blocks do. */
static void check_runs(void)
{
    side_begin(&a, 60);
    side_begin(&b, 60);
    takes(&a, "f", 5, 0.01);
    takes(&b, "f", 6, 0.01);
    for (uint32_t i = 0; i < 60; i++) {
        a.run_of_block[i] = b.run_of_block[i] = i / 20;
        a.own[context(&a, "f") * 60 + i] += i / 20 == 0 ? 3 : i / 20 == 1 ? -3 : 0;
    }
    struct tree_changes changes = changes_of(&a, &b);
    double by_blocks = changes.items[0].error;
    release(&changes, &a, &b);
    side_begin(&a, 60);
    side_begin(&b, 60);
    takes(&a, "f", 5, 0.01);
    takes(&b, "f", 6, 0.01);
    for (uint32_t i = 0; i < 60; i++) {
        a.run_of_block[i] = b.run_of_block[i] = i / 20;
        a.own[context(&a, "f") * 60 + i] += i / 20 == 0 ? 3 : i / 20 == 1 ? -3 : 0;
    }
    struct change_side sides[2] = {side_of(&a, true), side_of(&b, true)};
    tree_changes_find(&changes, sides);
    /* 8, 2, 5: a standard error of sqrt(9 / 3). */
    CHECK(changes.told == 0 && fabs(changes.items[0].error - sqrt(3)) < 0.01 && by_blocks < 0.5);
    release(&changes, &a, &b);
}

/* p is 0.009 of the one that has nearly all of the time: too much for one of 61 that weigh alike. */
static void check_weights(void)
{
    char path[16];
    side_begin(&a, 20);
    side_begin(&b, 20);
    takes(&a, "f", 500, 67);
    takes(&b, "f", 560, 67);
    for (int i = 0; i < 60; i++) {
        snprintf(path, sizeof path, "g%d", i);
        takes(&a, path, 0.5, 0.01);
        takes(&b, path, 0.5, 0.01);
    }
    struct tree_changes changes = changes_of(&a, &b);
    const struct node_change *change = change_of(&changes, 0, &a, "f");
    CHECK(changes.told == 1 && change->told && change->p > 0.05 / 61 && change->p < 0.02);
    release(&changes, &a, &b);
    /* The same p of one that is as small as the others tells nothing. */
    side_begin(&a, 20);
    side_begin(&b, 20);
    takes(&a, "f", 500, 1);
    takes(&b, "f", 500, 1);
    for (int i = 0; i < 60; i++) {
        snprintf(path, sizeof path, "g%d", i);
        takes(&a, path, 0.5, 0.067);
        takes(&b, path, i ? 0.5 : 0.56, 0.067);
    }
    changes = changes_of(&a, &b);
    CHECK(changes.told == 0 && change_of(&changes, 0, &a, "g0")->p < 0.02);
    release(&changes, &a, &b);
}

/* What B's blocks have alike A's do not have: parts that are alike say that nothing is left open, the number of
 * samples says that an error of sqrt(20 * 20) / 20 is, of a change of 1, or of sqrt(20 * 4) / 20, of one of 4. */
static void check_samples(void)
{
    double variance[MOST_BLOCKS * 4] = {0};
    struct tree_changes changes;
    for (int each = 1; each <= 4; each += 3) {
        side_begin(&a, 20);
        side_begin(&b, 20);
        takes(&a, "g", 50, 1);
        takes(&b, "g", 50, 1);
        takes(&b, "g/f", each, 0.0);
        struct change_side sides[2] = {side_of(&a, false), side_of(&b, false)};
        tree_changes_find(&changes, sides);
        CHECK(change_of(&changes, 1, &b, "g/f")->told);
        tree_changes_release(&changes);
        for (uint32_t block = 0; block < 20; block++)
            variance[context(&b, "g/f") * 20 + block] = each * (each == 1 ? 20 : 1);
        sides[1].variance = variance;
        tree_changes_find(&changes, sides);
        const struct node_change *f = change_of(&changes, 1, &b, "g/f");
        CHECK(fabs(f->error - sqrt(20.0 * each * (each == 1 ? 20 : 1)) / 20) < 1e-9);
        CHECK(f->told == (each == 4));
        release(&changes, &a, &b);
    }
}

/* ---- chance ---- */

static uint32_t poisson(uint64_t *state, double mean)
{
    uint32_t count = 0;
    for (double t = sim_exponential(state, 1); t < mean; t += sim_exponential(state, 1))
        count++;
    return count;
}

/* Contexts that have from one sample in three blocks to 200 in each, and blocks with more or less load.
 * One function, "f40", takes `more` times as much. */
static void draw_side(struct made_side *side, double more, uint64_t *state)
{
    char path[64];
    side_begin(side, 20);
    for (uint32_t n = 0; n < 60; n++) {
        snprintf(path, sizeof path, n % 3 ? "main/g%u/f%u" : "main/g%u", n / 3, n);
        uint32_t node = context(side, path);
        double mean = 0.3 * pow(200 / 0.3, n / 59.0) * (n == 40 ? more : 1);
        for (uint32_t block = 0; block < 20; block++)
            side->own[node * 20 + block] = poisson(state, mean * (0.8 + 0.4 * sim_part(state)));
    }
}

static void check_chance(void)
{
    enum { TRIALS = 200 };
    uint64_t state = 7;
    int named = 0, found = 0, others = 0;
    for (int i = 0; i < TRIALS; i++) {
        draw_side(&a, 1, &state);
        draw_side(&b, 1, &state);
        struct tree_changes changes = changes_of(&a, &b);
        named += changes.told > 0;
        release(&changes, &a, &b);
        draw_side(&a, 1, &state);
        draw_side(&b, 1.5, &state);
        changes = changes_of(&a, &b);
        found += change_of(&changes, 0, &a, "main/g13/f40")->told;
        others += (int)changes.told;
        release(&changes, &a, &b);
    }
    others -= found;
    printf("no change: anything is named in %.1f %%; half as much again: it is named in %.1f %%, "
           "and %.3f others\n",
           named * 100.0 / TRIALS, found * 100.0 / TRIALS, (double)others / TRIALS);
    CHECK(named <= TRIALS / 20 && found > TRIALS * 9 / 10 && others < TRIALS / 10);
}

int main(void)
{
    check_diff();
    check_versions();
    check_stripped();
    check_units();
    check_runs();
    check_weights();
    check_samples();
    check_chance();
    return CHECK_DONE();
}
