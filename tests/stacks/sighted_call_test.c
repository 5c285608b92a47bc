/* sighted_call.h and node_times.h: IntroPerf's table 1, and calls and bounds worked out by hand. */
#include "stacks/sighted_call.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "stacks/node_times.h"

/* Functions have one letter each; "ABD" is the context A, B, D. */
static uint32_t context(struct context_tree *tree, const char *letters)
{
    uint32_t node = CONTEXT_ROOT;
    for (; *letters; letters++) {
        char name[2] = {*letters, 0};
        struct context_frame frame = {.function = name, .object = "program", .kind = FRAME_PROGRAM};
        node = context_tree_child(tree, node, context_frame_add(tree, &frame));
    }
    return node;
}

static struct stack_moment at(struct context_tree *tree, time_ns time, const char *letters)
{
    return (struct stack_moment){.time = time, .until = time, .node = context(tree, letters)};
}

/* The first call of a context. */
static const struct sighted_call *call_of(struct context_tree *tree,
                                          const struct sighted_calls *calls, const char *letters)
{
    static const struct sighted_call none;
    uint32_t node = context(tree, letters);
    for (uint32_t i = 0; i < calls->count; i++)
        if (calls->items[i].node == node)
            return &calls->items[i];
    fprintf(stderr, "no call of %s\n", letters);
    check_failures++;
    return &none;
}

static void expect(struct context_tree *tree, const struct sighted_calls *calls,
                   const char *letters, time_ns conservative, time_ns aggressive, uint32_t moments)
{
    const struct sighted_call *call = call_of(tree, calls, letters);
    if (sighted_call_conservative(call) == conservative &&
        sighted_call_aggressive(call) == aggressive && call->moments == moments)
        return;
    fprintf(stderr, "%s: %lld, %lld, %u\n", letters, (long long)sighted_call_conservative(call),
            (long long)sighted_call_aggressive(call), call->moments);
    check_failures++;
}

/* The paper's table 1: A 60, 60; A/B 10, 30; A/B/D 10, 30; A/C 30, 30; A/C/D 0, 30. */
static void check_table_1(void)
{
    struct context_tree tree;
    context_tree_init(&tree);
    struct stack_moment moments[] = {at(&tree, 10, "ABD"), at(&tree, 20, "ABD"),
                                     at(&tree, 40, "ACD"), at(&tree, 70, "AC")};
    struct sighted_calls calls;
    sighted_calls_find(&calls, &tree, moments, 4, 10, 70);
    CHECK(calls.count == 5);
    expect(&tree, &calls, "A", 60, 60, 4);
    expect(&tree, &calls, "AB", 10, 30, 2);
    expect(&tree, &calls, "ABD", 10, 30, 2);
    expect(&tree, &calls, "AC", 30, 30, 2);
    expect(&tree, &calls, "ACD", 0, 30, 1);
    /* New at t1 are A, B and D, at t3 C and D: in the order in which they are found. */
    const char *found[] = {"A", "AB", "ABD", "AC", "ACD"};
    const time_ns first[] = {10, 10, 10, 40, 40};
    for (int i = 0; i < 5; i++)
        CHECK(calls.items[i].node == context(&tree, found[i]) && calls.items[i].first == first[i]);
    CHECK(calls.items[0].parent == CALL_NONE && calls.items[2].parent == 1);
    CHECK(calls.items[3].parent == 0 && calls.items[4].parent == 3);
    /* The register after t3: A from t1 to t3, C and D from t3 to t3. */
    struct sighted_calls after;
    sighted_calls_find(&after, &tree, moments, 3, 10, 70);
    CHECK(after.items[0].first == 10 && after.items[0].last == 40 && after.items[0].open);
    CHECK(after.items[3].first == 40 && after.items[3].last == 40 && after.items[3].open);
    CHECK(after.items[4].first == 40 && after.items[4].last == 40 && after.items[4].open);
    CHECK(!after.items[1].open && after.items[1].after == 40);

    struct node_times times;
    node_times_init(&times, &tree);
    node_times_add(&times, moments, 4, &calls);
    node_times_close(&times);
    const struct node_time *a = &times.items[context(&tree, "A")];
    CHECK(a->calls == 1 && a->conservative == 60 && a->own_conservative == 60 - 10 - 30);
    CHECK(a->own_aggressive == 60 - 30 - 30);
    CHECK(times.items[context(&tree, "AC")].own_conservative == 30);
    CHECK(times.items[context(&tree, "ACD")].own_aggressive == 30);
    CHECK(times.items[context(&tree, "ACD")].samples == 0);
    node_times_release(&times);
    sighted_calls_release(&after);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* B is seen at 20 and 30, not at 10 nor, off the processor in A from 37 to 60, then. */
static void check_bounds(void)
{
    struct context_tree tree;
    struct sighted_calls calls;
    context_tree_init(&tree);
    struct stack_moment moments[] = {at(&tree, 10, "A"), at(&tree, 20, "AB"), at(&tree, 30, "AB"),
                                     at(&tree, 37, "A"), at(&tree, 70, "A")};
    moments[3].until = 60;
    sighted_calls_find(&calls, &tree, moments, 5, 3, 80);
    const struct sighted_call *b = call_of(&tree, &calls, "AB");
    CHECK(sighted_call_conservative(b) == 10 && sighted_call_most(b) == 27);
    CHECK(sighted_call_guess(b) == 18.5);
    CHECK(fabs(sighted_call_error(b) - sqrt((10 * 10 + 7 * 7) / 12.0)) < 1e-9);
    const struct sighted_call *a = call_of(&tree, &calls, "A");
    CHECK(a->open && sighted_call_conservative(a) == 60 && sighted_call_most(a) == 77);
    sighted_calls_release(&calls);
    /* A call that waits is there until it goes on, and its begin is not before the wait before it. */
    struct stack_moment waits[] = {at(&tree, 10, "A"), at(&tree, 30, "AB"), at(&tree, 60, "A")};
    waits[0].until = 25;
    waits[1].until = 55;
    sighted_calls_find(&calls, &tree, waits, 3, 0, 100);
    b = call_of(&tree, &calls, "AB");
    CHECK(sighted_call_conservative(b) == 25 && sighted_call_most(b) == 60 - 25);
    sighted_calls_release(&calls);
    /* A clock's period P: P / sqrt(6). */
    struct stack_moment clock[] = {at(&tree, 0, "A"), at(&tree, 12, "AB"), at(&tree, 24, "A")};
    sighted_calls_find(&calls, &tree, clock, 3, 0, 30);
    CHECK(fabs(sighted_call_error(call_of(&tree, &calls, "AB")) - 12 / sqrt(6)) < 1e-9);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* B called from two places in A is called twice; what A's caller did does not matter. */
static void check_places(void)
{
    struct context_tree tree;
    struct sighted_calls calls;
    context_tree_init(&tree);
    const uint64_t one[] = {7, 100, 0}, other[] = {7, 104, 0}, unknown[] = {7, 0, 0};
    struct stack_moment moments[] = {at(&tree, 10, "MAB"), at(&tree, 20, "MAB"),
                                     at(&tree, 30, "MAB"), at(&tree, 40, "MAB")};
    sighted_calls_find(&calls, &tree, moments, 4, 0, 50);
    CHECK(calls.count == 3);
    sighted_calls_release(&calls);
    moments[0].calls = moments[1].calls = one;
    moments[2].calls = moments[3].calls = other;
    sighted_calls_find(&calls, &tree, moments, 4, 0, 50);
    CHECK(calls.count == 4);
    expect(&tree, &calls, "MAB", 10, 20, 2);
    expect(&tree, &calls, "MA", 30, 30, 4);
    sighted_calls_release(&calls);
    moments[2].calls = unknown;
    sighted_calls_find(&calls, &tree, moments, 3, 0, 50);
    CHECK(calls.count == 3);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* Recursion is as many calls; nothing seen is no call. */
static void check_others(void)
{
    struct context_tree tree;
    struct sighted_calls calls;
    context_tree_init(&tree);
    struct stack_moment moments[] = {at(&tree, 10, "FFF"), at(&tree, 20, "FF"), at(&tree, 30, "")};
    sighted_calls_find(&calls, &tree, moments, 3, 0, 50);
    CHECK(calls.count == 3);
    expect(&tree, &calls, "F", 10, 20, 2);
    expect(&tree, &calls, "FF", 10, 20, 2);
    expect(&tree, &calls, "FFF", 0, 10, 1);
    sighted_calls_release(&calls);
    sighted_calls_find(&calls, &tree, NULL, 0, 0, 50);
    CHECK(calls.count == 0);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* A clock of 4: B has three of five samples. It ends in two gaps and begins in one, and was met or left by
 * chance: 3 * 16 / 2 = 24, which is more than the binomial 16 * 3 * 2 / 5. C begins in one: 16 / 2. */
static void check_samples(void)
{
    struct context_tree tree;
    struct sighted_calls calls;
    struct node_times times;
    context_tree_init(&tree);
    const char *stacks[] = {"AB", "AB", "A", "AB", "AC"};
    struct stack_moment moments[5];
    for (int i = 0; i < 5; i++) {
        moments[i] = at(&tree, 4 * i, stacks[i]);
        moments[i].amount_ns = 4;
    }
    sighted_calls_find(&calls, &tree, moments, 5, 0, 20);
    node_times_init(&times, &tree);
    node_times_add(&times, moments, 5, &calls);
    node_times_close(&times);
    const struct node_time *b = &times.items[context(&tree, "AB")];
    CHECK(b->samples == 3 && b->sampled_ns == 12 && b->own_sampled_ns == 12 && b->calls == 2);
    CHECK(fabs(b->variance - 19.2) < 1e-9 && b->boundaries == 3);
    const struct node_time *a = &times.items[context(&tree, "A")];
    CHECK(a->samples == 5 && a->sampled_ns == 20 && a->own_sampled_ns == 4 && a->variance == 0);
    CHECK(times.items[context(&tree, "AC")].variance == 8);
    CHECK(times.items[CONTEXT_ROOT].sampled_ns == 20);
    CHECK(times.items[CONTEXT_ROOT].own_sampled_ns == 0);
    CHECK(times.items[CONTEXT_ROOT].variance == 0);
    node_times_release(&times);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* Two boundaries of a call that was seen for long: 2 * 16 / 12. */
static void check_long(void)
{
    struct context_tree tree;
    struct sighted_calls calls;
    struct node_times times;
    context_tree_init(&tree);
    const char *stacks[] = {"A", "A", "AB", "AB", "AB", "A", "A"};
    struct stack_moment moments[7];
    for (int i = 0; i < 7; i++) {
        moments[i] = at(&tree, 4 * i, stacks[i]);
        moments[i].amount_ns = 4;
    }
    sighted_calls_find(&calls, &tree, moments, 7, 0, 28);
    node_times_init(&times, &tree);
    node_times_add(&times, moments, 7, &calls);
    CHECK(fabs(times.items[context(&tree, "AB")].variance - 2 * 16 / 12.0) < 1e-9);
    CHECK(times.items[context(&tree, "A")].variance == 0);
    node_times_release(&times);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* Of 240 samples 120 are in B, in twenty times 1 and 5 after one another, with 5 and 1 between: 79 boundaries.
 * The binomial spread is 60, so the correlation is 1 - 79 / 120 = 0.341667, and at the least
 * 0.341667 - 2.5 sqrt(0.341667 * 0.658333 / 120 + 1 / 240) = 0.147356; Cochran's part of that is 0.301206. */
static void check_alike(void)
{
    enum { PERIOD = 12, COUNT = 20 * PERIOD };
    struct context_tree tree;
    struct sighted_calls calls;
    struct node_times times;
    context_tree_init(&tree);
    static struct stack_moment moments[COUNT];
    for (int i = 0; i < COUNT; i++) {
        bool in_b = i % PERIOD == 0 || (i % PERIOD > 5 && i % PERIOD < 11);
        moments[i] = at(&tree, 4 * i, in_b ? "AB" : "A");
        moments[i].amount_ns = 4;
    }
    sighted_calls_find(&calls, &tree, moments, COUNT, 0, 4 * COUNT);
    node_times_init(&times, &tree);
    node_times_add(&times, moments, COUNT, &calls);
    node_times_close(&times);
    CHECK(times.items[context(&tree, "AB")].boundaries == 79);
    CHECK(fabs(times.items[context(&tree, "AB")].variance - 16 * 60 * 0.301206) < 1e-2);
    node_times_release(&times);
    sighted_calls_release(&calls);
    context_tree_release(&tree);
}

/* What the recorder saw, without what is not known or cut. */
static void check_taking(void)
{
    struct off_cpu offs[] = {{.out = 20, .woken = 30, .in = 31},
                             {.out = 50, .woken = 60, .in = 60}};
    struct kernel_task task = {.offs = offs, .off_count = 2, .open = {.out = 80, .in = 95}};
    struct sighting sightings[] = {
        {.time = 10, .node = 3, .kind = SIGHTING_RAN, .amount_ns = 7},
        {.time = 20, .node = 4, .kind = SIGHTING_OFF, .off = 0, .one_in = 1, .amount_ns = 11},
        {.time = 50, .node = CONTEXT_NONE, .kind = SIGHTING_OFF, .off = 1, .amount_ns = 10},
        {.time = 70, .node = 5, .kind = SIGHTING_RAN, .cut = true, .amount_ns = 7},
        {.time = 80, .node = 3, .kind = SIGHTING_OFF, .off = 2, .one_in = 1, .amount_ns = 15}};
    struct task_sightings seen = {sightings, 5};
    struct stack_moments moments = {0};
    stack_moments_take(&moments, &seen, &task, NULL);
    CHECK(moments.count == 3 && moments.unknown == 1 && moments.cut == 1);
    CHECK(moments.items[0].time == 10 && moments.items[0].until == 10);
    CHECK(moments.items[0].amount_ns == 7 && moments.items[1].amount_ns == 0);
    CHECK(moments.items[1].until == 31 && moments.items[2].until == 95);
    stack_moments_release(&moments);
    /* The run's second thread is the task's. */
    struct kernel_task tasks[2] = {{.thread = THREAD_NONE}, task};
    struct task_sightings by_task[2] = {{NULL, 0}, seen};
    struct sightings all = {.tasks = by_task, .task_count = 2};
    struct kernel_side side = {.tasks = tasks, .task_count = 2};
    struct timelines run = {.kernel_side = &side, .thread_count = 2};
    tasks[1].thread = 1;
    struct stack_moments *by_thread = stack_moments_of_run(&run, &all, NULL);
    CHECK(by_thread[0].count == 0 && by_thread[1].count == 3);
    stack_moments_release_all(by_thread, &run);
}

/* "main, serve" is whole and "serve, parse" and "parse" are cut: below serve, the second one is as good. */
static void check_cut_above_a_root(void)
{
    struct context_tree tree;
    context_tree_init(&tree);
    uint32_t frames[3];
    const char *names[] = {"main", "serve", "parse"};
    for (int f = 0; f < 3; f++)
        frames[f] =
            context_frame_add(&tree, &(struct context_frame){.function = names[f], .object = "s"});
    struct sighting sightings[] = {
        {.time = 10, .node = context_tree_path(&tree, frames, 2), .kind = SIGHTING_RAN},
        {.time = 20,
         .node = context_tree_path(&tree, frames + 1, 2),
         .kind = SIGHTING_RAN,
         .cut = true},
        {.time = 30,
         .node = context_tree_path(&tree, frames + 2, 1),
         .kind = SIGHTING_RAN,
         .cut = true}};
    struct task_sightings seen = {sightings, 3};
    struct kernel_task task = {0};
    bool are[3] = {false, true, false};
    struct moment_roots roots = {&tree, are};
    struct stack_moments moments = {0};
    stack_moments_take(&moments, &seen, &task, &roots);
    CHECK(moments.count == 2 && moments.cut == 1 && moments.items[1].time == 20);
    stack_moments_release(&moments);
    context_tree_release(&tree);
}

int main(void)
{
    check_table_1();
    check_bounds();
    check_places();
    check_others();
    check_samples();
    check_long();
    check_alike();
    check_taking();
    check_cut_above_a_root();
    return CHECK_DONE();
}
