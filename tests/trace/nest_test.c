/* trace/nest.h against trees that are known, and against nonsense. */
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/nest.h"

enum { MOST = 400 };

static void test_hand_worked(void)
{
    /* c d b f a g: a holds b (holding c, of the same start, and d) and e, which left no record,
     * holding f */
    struct nest_item items[] = {{11, 14, 0, 0}, {15, 19, 0, 0}, {11, 20, 0, 0},
                                {31, 39, 0, 0}, {10, 50, 0, 0}, {60, 70, 0, 0}};
    static const uint32_t parents[] = {2, 2, 4, 4, NEST_NONE, NEST_NONE};
    static const uint32_t places[] = {2, 3, 1, 4, 0, 5};
    nest_build(items, 6);
    for (int i = 0; i < 6; i++) {
        CHECK(items[i].parent == parents[i]);
        CHECK(items[i].place == places[i]);
    }
}

static void test_cuts(void)
{
    /* the child outlives its parent; the first sibling runs into the second */
    struct nest_item items[] = {{10, 25, 0, 0}, {20, 90, 0, 0}, {5, 50, 0, 0}};
    nest_build(items, 3);
    CHECK(items[1].end == 50);
    CHECK(items[0].end == 20);
    struct nest_item backwards = {10, 3, 0, 0};
    nest_build(&backwards, 1);
    CHECK(backwards.start == 10 && backwards.end == 10);
    nest_build(NULL, 0);
}

struct generator {
    struct nest_item items[MOST];
    uint32_t parents[MOST]; /* as made */
    uint32_t open[MOST];    /* the calls that run; their start is known */
    int64_t starts[MOST];
    uint32_t kids[MOST][MOST];
    uint32_t kid_count[MOST];
    uint32_t count;
};

/* A run of calls and returns at ever later times; a return writes its record. */
static void generate(struct generator *g, unsigned seed)
{
    uint32_t depth = 0;
    int64_t now = 0;
    srand(seed);
    memset(g, 0, sizeof *g);
    while (g->count < MOST - 50 || depth > 0) {
        now += 1 + rand() % 3;
        if (depth < 40 && g->count < MOST - 50 && rand() % 2) {
            g->starts[depth] = now;
            g->kid_count[depth++] = 0;
        } else if (depth > 0) {
            uint32_t i = g->count++;
            depth--;
            g->items[i] = (struct nest_item){.start = g->starts[depth], .end = now};
            g->parents[i] = NEST_NONE;
            for (uint32_t k = 0; k < g->kid_count[depth]; k++)
                g->parents[g->kids[depth][k]] = i;
            if (depth > 0)
                g->kids[depth - 1][g->kid_count[depth - 1]++] = i;
        }
    }
}

static void test_random(void)
{
    static struct generator g;
    for (unsigned seed = 1; seed <= 500; seed++) {
        generate(&g, seed);
        nest_build(g.items, g.count);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < g.count; i++) {
            wrong += g.items[i].parent != g.parents[i];
            wrong += g.parents[i] != NEST_NONE && g.items[g.parents[i]].place >= g.items[i].place;
        }
        CHECK(wrong == 0);
    }
}

/* Whatever goes in, stretches come out that lie within each other and in order. */
static void test_nonsense(void)
{
    static struct nest_item items[MOST];
    static uint32_t at[MOST];
    for (unsigned seed = 1; seed <= 2000; seed++) {
        srand(seed);
        for (uint32_t i = 0; i < MOST; i++)
            items[i] = (struct nest_item){.start = rand() % 100, .end = rand() % 100};
        nest_build(items, MOST);
        memset(at, 0xff, sizeof at);
        for (uint32_t i = 0; i < MOST; i++)
            at[items[i].place % MOST] = i;
        uint32_t wrong = 0;
        for (uint32_t p = 0; p < MOST; p++) {
            if (at[p] == NEST_NONE) {
                wrong++;
                continue;
            }
            const struct nest_item *item = &items[at[p]];
            wrong += item->end < item->start;
            wrong += p > 0 && at[p - 1] != NEST_NONE && items[at[p - 1]].start > item->start;
            if (item->parent != NEST_NONE)
                wrong += items[item->parent].place >= p ||
                         items[item->parent].start > item->start ||
                         items[item->parent].end < item->end;
        }
        CHECK(wrong == 0);
    }
}

int main(void)
{
    test_hand_worked();
    test_cuts();
    test_random();
    test_nonsense();
    return CHECK_DONE();
}
