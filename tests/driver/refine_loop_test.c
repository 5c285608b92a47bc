/* refine_loop_test.c - which functions a round opens, on a call graph small enough to see.
 *
 *   main -> serve* -> parse, execute -> sync (no body)
 *                     execute -> lock_wait (no body)
 *   keeper -> release_all            (* holds an annotation)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/loop/refine_loop.h"

#include "driver/loop/cooling.h"
#include "driver/loop/proposal.h"

enum { MAIN, SERVE, PARSE, EXECUTE, SYNC, LOCK, KEEPER, RELEASE_ALL, FUNCTIONS };

static uint32_t main_calls[] = {SERVE}, serve_calls[] = {PARSE, EXECUTE};
static uint32_t execute_calls[] = {SYNC, LOCK}, keeper_calls[] = {RELEASE_ALL};
static uint32_t release_calls[] = {SYNC};

static struct function_info functions[FUNCTIONS] = {
    [MAIN] = {.name = "main", .body = true, .callees = main_calls, .callee_count = 1},
    [SERVE] =
        {.name = "serve", .body = true, .marks = true, .callees = serve_calls, .callee_count = 2},
    [PARSE] = {.name = "parse", .body = true},
    [EXECUTE] = {.name = "execute", .body = true, .callees = execute_calls, .callee_count = 2},
    [SYNC] = {.name = "sync"},
    [LOCK] = {.name = "lock"},
    [KEEPER] = {.name = "keeper", .body = true, .callees = keeper_calls, .callee_count = 1},
    [RELEASE_ALL] = {.name = "release_all",
                     .body = true,
                     .callees = release_calls,
                     .callee_count = 1},
};
static const struct function_table table = {.functions = functions, .function_count = FUNCTIONS};

/* interval -> serve -> execute -> lock -> release_all (woken-by); interval body */
enum { ROOT, N_SERVE, N_EXECUTE, N_LOCK, N_WOKEN, N_BODY, NODES };
static struct tree_node nodes[NODES] = {
    [ROOT] = {.kind = NODE_INTERVAL,
              .function = FUNCTION_NONE,
              .first_child = N_SERVE,
              .next_sibling = NODE_NONE,
              .parent = NODE_NONE},
    [N_SERVE] = {.kind = NODE_FUNCTION,
                 .function = SERVE,
                 .first_child = N_EXECUTE,
                 .next_sibling = N_BODY,
                 .contribution = 0.9},
    [N_EXECUTE] = {.kind = NODE_FUNCTION,
                   .function = EXECUTE,
                   .parent = N_SERVE,
                   .first_child = N_LOCK,
                   .next_sibling = NODE_NONE,
                   .contribution = 0.9},
    [N_LOCK] = {.kind = NODE_CALL,
                .function = LOCK,
                .parent = N_EXECUTE,
                .first_child = N_WOKEN,
                .next_sibling = NODE_NONE,
                .contribution = 0.8},
    [N_WOKEN] = {.kind = NODE_WOKEN_BY,
                 .function = RELEASE_ALL,
                 .parent = N_LOCK,
                 .first_child = NODE_NONE,
                 .next_sibling = NODE_NONE,
                 .contribution = 0.8,
                 .blamed = true},
    [N_BODY] = {.kind = NODE_BODY,
                .function = FUNCTION_NONE,
                .first_child = NODE_NONE,
                .next_sibling = NODE_NONE},
};
static struct factor_site sites[] = {
    {N_LOCK, NODE_NONE, 0.8}, {N_EXECUTE, NODE_NONE, 0.9}, {N_SERVE, NODE_NONE, 0.9}};
static struct factor factors[] = {
    {.names = {"lock"}, .contribution = 0.8, .sites = &sites[0], .site_count = 1},
    {.names = {"execute"}, .contribution = 0.9, .sites = &sites[1], .site_count = 1},
    {.names = {"serve"}, .contribution = 0.9, .sites = &sites[2], .site_count = 1},
};
static struct variance_result result = {.tree = {.nodes = nodes, .node_count = NODES},
                                        .factors = {.factors = factors, .count = 3}};

static int failed;

static void expect(bool truth, const char *what)
{
    if (!truth)
        printf("FAILED: %s\n", what);
    failed += !truth;
}

static void open_all(struct refine_loop *loop, struct proposal *proposals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        refine_loop_open(loop, &proposals[i]);
    proposals_release(proposals, count);
}

static void test_rounds(void)
{
    struct refine_loop loop;
    uint32_t count;
    expect(refine_loop_init(&loop, &table, NULL), "serve holds an annotation");
    expect(loop.opened[SERVE] && loop.timed[PARSE] && loop.timed[EXECUTE],
           "its children are timed");
    expect(!loop.timed[SYNC] && refine_loop_timed_count(&loop) == 3, "and nothing else");

    struct proposal *first = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && first[0].factor == 0, "the lock is the first factor");
    expect(first[0].count == 1 && first[0].functions[0] == RELEASE_ALL, "its waker is opened");
    open_all(&loop, first, count);

    struct proposal *second = proposals_make(&loop, &result, 3, 0.05, &count);
    expect(count == 2, "two factors have something to open");
    expect(second[0].count == 1 && second[0].functions[0] == KEEPER, "up from the waker");
    expect(second[1].count == 1 && second[1].functions[0] == EXECUTE, "down from execute");
    open_all(&loop, second, count);

    struct proposal *third = proposals_make(&loop, &result, 3, 0.05, &count);
    expect(count == 0, "nothing is left to open");
    proposals_release(third, count);
    refine_loop_release(&loop);
}

static void test_short(void)
{
    struct refine_loop loop;
    uint32_t count;
    const enum pace paces[FUNCTIONS] = {[PARSE] = PACE_SHORT, [RELEASE_ALL] = PACE_SHORT};
    refine_loop_init(&loop, &table, paces);
    expect(!loop.timed[PARSE] && refine_loop_timed_count(&loop) == 2, "what is short is not timed");
    struct proposal *first = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && first[0].count == 1 && first[0].functions[0] == KEEPER,
           "nor opened, its caller is");
    open_all(&loop, first, count);
    expect(!loop.timed[RELEASE_ALL], "nor timed with its caller");
    refine_loop_release(&loop);
}

static void expect_main_outside(struct refine_loop *loop, const char *what)
{
    uint32_t count;
    struct proposal *outside = proposals_make(loop, &result, 1, 0.4, &count);
    const struct proposal *last = &outside[count - 1];
    expect(last->factor == PROPOSAL_OUTSIDE && last->count == 1 && last->functions[0] == MAIN,
           what);
    proposals_release(outside, count);
}

static void test_through_short(void)
{
    struct refine_loop loop;
    const enum pace paces[FUNCTIONS] = {[SERVE] = PACE_SHORT, [EXECUTE] = PACE_SHORT};
    functions[SERVE].marks = false;
    functions[MAIN].marks = true;
    functions[SYNC].body = true;
    refine_loop_init(&loop, &table, paces);
    expect(loop.timed[PARSE] && loop.timed[SYNC] && refine_loop_timed_count(&loop) == 3,
           "what short functions call is timed with their caller's callees");
    refine_loop_release(&loop);
    functions[MAIN].marks = false;
    functions[PARSE].marks = true;
    refine_loop_init(&loop, &table, paces);
    nodes[N_BODY].contribution = 0.5;
    expect_main_outside(&loop, "the caller of a short caller is opened");
    refine_loop_release(&loop);
    nodes[N_BODY].contribution = 0;
    functions[PARSE].marks = functions[SYNC].body = false;
    functions[SERVE].marks = true;
}

/* serve calls execute through a pointer. */
static void test_short_through_pointer(void)
{
    struct refine_loop loop;
    uint32_t count;
    const enum pace paces[FUNCTIONS] = {[EXECUTE] = PACE_SHORT, [RELEASE_ALL] = PACE_SHORT};
    functions[SERVE].callee_count = 1;
    functions[SYNC].body = true;
    refine_loop_init(&loop, &table, paces);
    expect(!loop.timed[SYNC] && !loop.timed[EXECUTE], "nobody knows what is called");
    struct proposal *first = proposals_make(&loop, &result, 3, 0.05, &count);
    const struct proposal *last = &first[count - 1];
    expect(count == 2 && last->count == 1 && last->functions[0] == EXECUTE,
           "a short one that was called through a pointer is opened");
    open_all(&loop, first, count);
    expect(loop.timed[SYNC] && !loop.timed[EXECUTE], "what it calls is timed");
    struct proposal *second = proposals_make(&loop, &result, 3, 0.05, &count);
    for (uint32_t i = 0; i < count; i++)
        expect(second[i].functions[0] != EXECUTE, "and it is not opened again");
    proposals_release(second, count);
    refine_loop_release(&loop);
    functions[SERVE].callee_count = 2;
    functions[SYNC].body = false;
}

static bool cool(struct refine_loop *loop, double most)
{
    return refine_loop_cool(loop, &result.tree, NULL, most, 0.05);
}

static void test_hot(void)
{
    struct refine_loop loop;
    struct tree_node body = nodes[N_BODY], woken = nodes[N_WOKEN];
    struct proposal serve = {.functions = serve_calls, .count = 1};
    refine_loop_init(&loop, &table, NULL);
    nodes[N_BODY].kind = NODE_FUNCTION;
    nodes[N_BODY].function = PARSE;
    nodes[N_BODY].calls = 1000;
    nodes[N_SERVE].calls = 2000;
    expect(!cool(&loop, 3200), "3000 calls fit");
    nodes[N_BODY].contribution = 0.06;
    expect(!cool(&loop, 600), "what matters is timed");
    nodes[N_BODY].contribution = 0.04;
    nodes[ROOT].moments.sum = 1000;
    nodes[N_BODY].moments.sum = 110;
    expect(!cool(&loop, 600), "so is what takes a good part of the time");
    nodes[N_BODY].moments.sum = 90;
    nodes[N_WOKEN].function = PARSE;
    nodes[N_WOKEN].contribution = 0.3;
    expect(!cool(&loop, 600), "so is what wakes others");
    nodes[N_WOKEN].kind = NODE_FUNCTION;
    nodes[N_WOKEN].contribution = 0.02;
    expect(!cool(&loop, 600), "and what matters in two places together");
    nodes[N_WOKEN] = woken;
    nodes[N_BODY].calls = 6;
    expect(!cool(&loop, 600), "what is seldom called is not hot, though the others are too dear");
    nodes[N_BODY].calls = 1000;
    expect(cool(&loop, 600) && refine_loop_hot_count(&loop) == 1 && loop.hot[PARSE] &&
               !loop.timed[PARSE] && loop.timed[SERVE],
           "what does not is hot, but for what holds an annotation at the top");
    serve.functions[0] = SERVE;
    refine_loop_open(&loop, &serve);
    expect(!loop.timed[PARSE] && loop.timed[EXECUTE], "and never timed again");
    expect(!cool(&loop, 600), "nothing else is left out");
    serve.functions[0] = PARSE;
    nodes[N_BODY] = body;
    nodes[N_SERVE].calls = nodes[ROOT].moments.sum = 0;
    refine_loop_release(&loop);
}

/* parse is called about as often as execute, or less; what both contribute is below d. */
static void test_hottest(void)
{
    struct refine_loop loop;
    struct tree_node body = nodes[N_BODY];
    double contribution = nodes[N_EXECUTE].contribution;
    uint64_t calls[FUNCTIONS] = {[SERVE] = 100, [PARSE] = 990, [EXECUTE] = 1000};
    struct proposal execute = {.functions = &serve_calls[1], .count = 1};
    nodes[N_BODY].kind = NODE_FUNCTION;
    nodes[N_BODY].function = PARSE;
    nodes[N_BODY].contribution = 0.01;
    nodes[N_EXECUTE].contribution = 0.02;
    refine_loop_init(&loop, &table, NULL);
    refine_loop_open(&loop, &execute);
    expect(!refine_loop_cool(&loop, &result.tree, calls, 2100, 0.05), "2090 calls fit");
    expect(refine_loop_cool(&loop, &result.tree, calls, 1300, 0.05) && loop.hot[PARSE] &&
               !loop.hot[EXECUTE],
           "of two that are called alike the one that contributes less is left out");
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1150, 0.05),
           "what is left out counts no more");
    calls[SERVE] = 60;
    expect(refine_loop_cool(&loop, &result.tree, calls, 1050, 0.05) && loop.hot[EXECUTE] &&
               !loop.opened[EXECUTE],
           "one that was opened is left out, and opened no more");
    refine_loop_release(&loop);
    calls[SERVE] = 100;
    calls[PARSE] = 750;
    nodes[N_EXECUTE].contribution = 0.01;
    refine_loop_init(&loop, &table, NULL);
    expect(refine_loop_cool(&loop, &result.tree, calls, 1800, 0.05) && loop.hot[EXECUTE] &&
               !loop.hot[PARSE],
           "of two that contribute alike the one that is called more is left out");
    refine_loop_release(&loop);
    refine_loop_init(&loop, &table, NULL);
    functions[EXECUTE].marks = functions[PARSE].marks = true;
    expect(refine_loop_cool(&loop, &result.tree, calls, 900, 0.05) && loop.hot[EXECUTE] &&
               !loop.hot[PARSE],
           "what holds an annotation is left out below a timed function, but not at the top");
    functions[EXECUTE].marks = functions[PARSE].marks = false;
    refine_loop_release(&loop);
    calls[PARSE] = calls[EXECUTE] = 500;
    refine_loop_init(&loop, &table, NULL);
    expect(refine_loop_cool(&loop, &result.tree, calls, 650, 0.05) &&
               refine_loop_hot_count(&loop) == 2,
           "just enough is not enough");
    refine_loop_release(&loop);
    nodes[N_BODY] = body;
    nodes[N_EXECUTE].contribution = contribution;
}

/* serve -> execute, which contributes nearly all that serve does. */
static void test_hot_that_passes_on(void)
{
    struct refine_loop loop;
    double contribution = nodes[N_EXECUTE].contribution;
    uint64_t calls[FUNCTIONS] = {[SERVE] = 1000, [EXECUTE] = 900};
    struct proposal serve = {.functions = main_calls, .count = 1};
    functions[SERVE].marks = false;
    refine_loop_init(&loop, &table, NULL);
    refine_loop_open(&loop, &serve);
    nodes[N_EXECUTE].contribution = 0.8;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05),
           "what does a part itself is timed");
    nodes[N_EXECUTE].contribution = 0.88;
    nodes[N_EXECUTE].function = SERVE;
    calls[SERVE] = 1900;
    calls[EXECUTE] = 0;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05),
           "what calls itself does not stand in its own place");
    nodes[N_EXECUTE].function = EXECUTE;
    calls[SERVE] = 1000;
    calls[EXECUTE] = 900;
    nodes[N_EXECUTE].kind = NODE_WOKEN_BY;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05), "nor does a waker");
    nodes[N_EXECUTE].kind = NODE_FUNCTION;
    nodes[ROOT].moments.sum = 1000;
    nodes[N_SERVE].moments.sum = 900;
    nodes[N_EXECUTE].moments.sum = 790;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05),
           "what takes a part of the time itself is timed, too");
    nodes[N_EXECUTE].moments.sum = 880;
    loop.timed[EXECUTE] = false;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 850, 0.05),
           "what is known as called through a pointer has no place without its caller");
    loop.timed[EXECUTE] = true;
    result.tree.intervals.count = 1000;
    nodes[N_SERVE].calls = 1000;
    nodes[N_EXECUTE].calls = 499;
    expect(!refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05),
           "what calls it now and then decides when");
    result.tree.intervals.count = 999;
    expect(refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05) && loop.hot[SERVE],
           "and is left out where it is called more than once an interval");
    result.tree.intervals.count = 1000;
    loop.hot[SERVE] = false;
    loop.timed[SERVE] = true;
    nodes[N_EXECUTE].calls = 500;
    expect(refine_loop_cool(&loop, &result.tree, calls, 1500, 0.05) && loop.hot[SERVE] &&
               loop.timed[EXECUTE],
           "what passes on is left out, and what it calls is not");
    nodes[N_EXECUTE].contribution = contribution;
    result.tree.intervals.count = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i].moments.sum = 0;
        nodes[i].calls = 0;
    }
    functions[SERVE].marks = true;
    refine_loop_release(&loop);
}

static void test_hot_caller(void)
{
    struct refine_loop loop;
    functions[SERVE].marks = false;
    functions[PARSE].marks = true;
    nodes[N_BODY].contribution = 0.5;
    refine_loop_init(&loop, &table, NULL);
    loop.hot[SERVE] = true;
    expect_main_outside(&loop, "the caller of a hot caller is opened");
    refine_loop_release(&loop);
    nodes[N_BODY].contribution = 0;
    functions[PARSE].marks = false;
    functions[SERVE].marks = true;
}

/* The marked leaf, layers of short functions that call all of the next one, and one above them. */
static void test_layers(void)
{
    enum { LEAF, FIRST, WIDE = 4, LAYERS = 12, TOP = FIRST + WIDE * LAYERS, ALL };
    static struct function_info layered[ALL];
    static uint32_t callees[ALL];
    static enum pace paces[ALL];
    const struct function_table layered_table = {.functions = layered, .function_count = ALL};
    struct refine_loop loop;
    uint32_t count;
    for (uint32_t i = 0; i < ALL; i++) {
        bool lowest = i > LEAF && i < FIRST + WIDE;
        callees[i] = i;
        layered[i] = (struct function_info){
            .name = "layer",
            .body = true,
            .callees = lowest || i == LEAF ? &callees[LEAF]
                                           : &callees[FIRST + ((i - FIRST) / WIDE - 1) * WIDE],
            .callee_count = i == LEAF ? 0
                            : lowest  ? 1
                                      : WIDE};
        paces[i] = i > LEAF && i < TOP ? PACE_SHORT : PACE_ANY;
    }
    layered[LEAF].marks = true;
    nodes[N_BODY].contribution = 0.5;
    refine_loop_init(&loop, &layered_table, paces);
    struct variance_result outside = {.tree = result.tree};
    struct proposal *proposals = proposals_make(&loop, &outside, 1, 0.4, &count);
    expect(count == 1 && proposals[0].count == 1 && proposals[0].functions[0] == TOP,
           "the caller above many layers of short ones is found");
    proposals_release(proposals, count);
    refine_loop_release(&loop);
    nodes[N_BODY].contribution = 0;
}

/* loop -> each of ten handlers -> begin*, and a helper of its own, but two of them end*. */
static void test_many_callers(void)
{
    enum { BEGIN, HANDLER, HANDLERS = 10, HELPER = HANDLER + HANDLERS, END = HELPER + 5 };
    enum { LOOP = HELPER + HANDLERS, ALL };
    static struct function_info many[ALL];
    static uint32_t callees[HANDLERS][2], handlers[HANDLERS];
    const struct function_table many_table = {.functions = many, .function_count = ALL};
    struct tree_node serve = nodes[N_SERVE], execute = nodes[N_EXECUTE], body = nodes[N_BODY];
    struct tree_node lock = nodes[N_LOCK];
    struct variance_result outside = {.tree = result.tree};
    struct refine_loop loop;
    uint32_t count;
    for (uint32_t i = 0; i < ALL; i++)
        many[i] =
            (struct function_info){.name = "f", .body = true, .marks = i == BEGIN || i == END};
    for (uint32_t i = 0; i < HANDLERS; i++) {
        handlers[i] = HANDLER + i;
        callees[i][1] = i == 6 ? END : HELPER + i;
        many[HANDLER + i].callees = callees[i];
        many[HANDLER + i].callee_count = 2;
    }
    many[LOOP].callees = handlers;
    many[LOOP].callee_count = HANDLERS;
    nodes[N_SERVE].function = BEGIN;
    nodes[N_EXECUTE].function = END;
    nodes[N_SERVE].first_child = nodes[N_EXECUTE].first_child = NODE_NONE;
    nodes[N_SERVE].next_sibling = N_EXECUTE;
    nodes[N_EXECUTE].next_sibling = N_BODY;
    nodes[N_BODY].contribution = 0.5;
    nodes[N_LOCK].function = HANDLER + 6;
    outside.tree.node_count = N_LOCK;
    refine_loop_init(&loop, &many_table, NULL);

    struct proposal *first = proposals_make(&loop, &outside, 3, 0.4, &count);
    expect(count == 1 && first[0].factor == PROPOSAL_OUTSIDE && first[0].count == HANDLERS,
           "all callers are proposed, however many");
    open_all(&loop, first, count);
    expect(loop.timed[HANDLER] && !loop.opened[HANDLER] && !loop.timed[HELPER],
           "and only timed where they are many");

    outside.tree.node_count = N_LOCK + 1;
    struct proposal *unseen = proposals_make(&loop, &outside, 3, 0.4, &count);
    expect(count == 1 && unseen[0].count == 1 && unseen[0].functions[0] == HANDLER + 5,
           "of those not seen what calls most of the outermost functions is opened");
    proposals_release(unseen, count);

    nodes[N_SERVE].function = nodes[N_EXECUTE].function = HANDLER + 3;
    struct proposal *seen = proposals_make(&loop, &outside, 3, 0.4, &count);
    expect(count == 1 && seen[0].count == 1 && seen[0].functions[0] == LOOP,
           "from the one that was seen it goes up");
    proposals_release(seen, count);
    loop.hot[BEGIN] = loop.hot[END] = true;
    loop.opened[BEGIN] = loop.opened[END] = false;
    seen = proposals_make(&loop, &outside, 3, 0.4, &count);
    expect(count == 1 && seen[0].count == 1 && seen[0].functions[0] == LOOP,
           "also where what the intervals begin and end in was left out");
    open_all(&loop, seen, count);
    expect(loop.opened[LOOP], "to a single caller, which is opened");
    refine_loop_release(&loop);
    nodes[N_SERVE] = serve;
    nodes[N_EXECUTE] = execute;
    nodes[N_LOCK] = lock;
    nodes[N_BODY] = body;
}

static void test_waker_for_another(void)
{
    struct refine_loop loop;
    struct tree_node woken = nodes[N_WOKEN], body = nodes[N_BODY];
    uint32_t count;
    refine_loop_init(&loop, &table, NULL);
    nodes[N_BODY] = woken;
    nodes[N_BODY].parent = N_WOKEN;
    nodes[N_WOKEN].kind = NODE_FOR_ANOTHER;
    nodes[N_WOKEN].function = FUNCTION_NONE;
    nodes[N_WOKEN].first_child = N_BODY;
    struct proposal *first = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && first[0].count == 1 && first[0].functions[0] == RELEASE_ALL,
           "a waker is opened whomever it served");
    proposals_release(first, count);
    nodes[N_BODY] = body;
    nodes[N_WOKEN] = woken;
    refine_loop_release(&loop);
}

/* What a thread did before it came to the interval, which waited for it, is opened alike. */
static void test_before_it_came(enum node_kind kind)
{
    struct refine_loop loop;
    struct tree_node lock = nodes[N_LOCK];
    uint32_t count;
    refine_loop_init(&loop, &table, NULL);
    nodes[N_LOCK].kind = kind;
    nodes[N_LOCK].function = FUNCTION_NONE;
    struct proposal *first = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && first[0].count == 1 && first[0].functions[0] == RELEASE_ALL,
           "what kept the thread is opened");
    proposals_release(first, count);
    nodes[N_LOCK] = lock;
    refine_loop_release(&loop);
}

static void test_waker_of_many_steps(void)
{
    struct refine_loop loop;
    uint32_t count;
    refine_loop_init(&loop, &table, NULL);
    nodes[N_WOKEN].contribution = 0.04;
    nodes[N_WOKEN].share = 0.04;
    struct proposal *none = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && none[0].factor == 1, "a step of no weight is not opened");
    proposals_release(none, count);
    nodes[N_WOKEN].share = 0.15;
    struct proposal *shared = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && shared[0].factor == 0 && shared[0].functions[0] == RELEASE_ALL,
           "one that varies with the others is");
    proposals_release(shared, count);
    nodes[N_WOKEN].contribution = 0.8;
    nodes[N_WOKEN].share = 0;
    refine_loop_release(&loop);
}

/* Of the waker nothing is known but that main made its thread: main is opened, and what it gave to
 * be called. */
static void test_waker_without_name(void)
{
    static uint32_t makers[] = {MAIN}, given[] = {KEEPER};
    struct refine_loop loop;
    uint32_t count;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        functions[i].file = i == SERVE || i == KEEPER || i == MAIN ? "a.c" : "b.c";
    functions[MAIN].references = given;
    functions[MAIN].reference_count = 1;
    nodes[N_WOKEN].function = FUNCTION_NONE;
    result.makers = makers;
    refine_loop_init(&loop, &table, NULL);
    result.maker_count = 1;
    struct proposal *proposals = proposals_make(&loop, &result, 1, 0.05, &count);
    expect(count == 1 && proposals[0].factor == 0, "the lock");
    expect(proposals[0].count == 2 && proposals[0].functions[0] == MAIN &&
               proposals[0].functions[1] == KEEPER,
           "who made the thread, and what it may have begun in");
    open_all(&loop, proposals, count);
    proposals = proposals_make(&loop, &result, 3, 0.05, &count);
    for (uint32_t i = 0; i < count; i++)
        expect(proposals[i].factor != 0, "no more than once");
    proposals_release(proposals, count);
    refine_loop_release(&loop);
    nodes[N_WOKEN].function = RELEASE_ALL;
    functions[MAIN].reference_count = 0;
    result.maker_count = 0;
}

static void test_threshold_and_outside(void)
{
    struct refine_loop loop;
    uint32_t count;
    refine_loop_init(&loop, &table, NULL);
    struct proposal *none = proposals_make(&loop, &result, 3, 0.95, &count);
    expect(count == 0, "nothing is above d");
    proposals_release(none, count);
    nodes[N_BODY].contribution = 0.5;
    struct proposal *outside = proposals_make(&loop, &result, 1, 0.4, &count);
    expect(count == 2 && outside[1].factor == PROPOSAL_OUTSIDE, "time outside timed functions");
    expect(outside[1].count == 1 && outside[1].functions[0] == MAIN, "the caller is opened");
    proposals_release(outside, count);
    nodes[N_BODY].contribution = 0;
    refine_loop_release(&loop);
}

static void test_seen_calls(void)
{
    struct refine_loop loop;
    uint32_t count;
    struct seen_call seen = {SERVE, KEEPER};
    refine_loop_init(&loop, &table, NULL);
    result.seen = &seen;
    result.seen_count = 1;
    struct proposal *proposals = proposals_make(&loop, &result, 1, 0.05, &count);
    proposals_release(proposals, count);
    refine_loop_open(&loop, &(struct proposal){.functions = (uint32_t[]){SERVE}, .count = 1});
    expect(loop.timed[KEEPER], "a callee through a pointer is a child");
    refine_loop_release(&loop);
}

/* execute calls sync, which may call back; on_full is named by main, release_all by nobody near. */
static struct tree_node reached_nodes[] = {
    {.kind = NODE_INTERVAL, .function = FUNCTION_NONE, .first_child = 1, .next_sibling = NODE_NONE},
    {.kind = NODE_FUNCTION, .function = EXECUTE, .first_child = 2, .next_sibling = NODE_NONE},
    {.kind = NODE_CALL,
     .function = SYNC,
     .parent = 1,
     .first_child = NODE_NONE,
     .next_sibling = NODE_NONE,
     .contribution = 0.9},
};

static uint32_t reached_from(enum calls_back calls, bool named, const enum pace *paces,
                             uint32_t *function)
{
    struct function_info changed[FUNCTIONS];
    uint32_t names_keeper[] = {KEEPER}, count;
    memcpy(changed, functions, sizeof changed);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        changed[i].file = "";
    changed[SYNC].calls_back = calls;
    changed[KEEPER].referenced = true;
    changed[EXECUTE].references = names_keeper;
    changed[EXECUTE].reference_count = named;
    struct function_table other = {.functions = changed, .function_count = FUNCTIONS};
    struct factor_site site = {2, NODE_NONE, 0.9};
    struct factor factor = {
        .names = {"sync"}, .contribution = 0.9, .sites = &site, .site_count = 1};
    struct variance_result of_call = {.tree = {.nodes = reached_nodes, .node_count = 3},
                                      .factors = {.factors = &factor, .count = 1}};
    struct refine_loop loop;
    refine_loop_init(&loop, &other, paces);
    loop.timed[RELEASE_ALL] = false;
    struct proposal *proposals = proposals_make(&loop, &of_call, 3, 0.05, &count);
    *function = count ? proposals[0].functions[0] : FUNCTION_NONE;
    uint32_t proposed = count ? proposals[0].count : 0;
    expect(!count || proposals[0].alone, "what may be reached is only timed");
    if (count)
        refine_loop_open(&loop, &proposals[0]);
    proposals_release(proposals, count);
    proposals = proposals_make(&loop, &of_call, 3, 0.05, &count);
    expect(count == 0, "what is timed already is not proposed again");
    proposals_release(proposals, count);
    refine_loop_release(&loop);
    return proposed;
}

static void test_reached(void)
{
    const enum pace short_keeper[FUNCTIONS] = {[KEEPER] = PACE_SHORT};
    uint32_t function;
    expect(reached_from(CALLS_ANY, false, NULL, &function) == 1 && function == KEEPER,
           "a library may call what is named anywhere");
    expect(reached_from(CALLS_GIVEN, false, NULL, &function) == 0,
           "what calls only what it is given is not given this");
    expect(reached_from(CALLS_GIVEN, true, NULL, &function) == 1 && function == KEEPER,
           "it may be given what its caller names");
    expect(reached_from(CALLS_NOBODY, true, NULL, &function) == 0, "who calls nobody");
    expect(reached_from(CALLS_ANY, false, short_keeper, &function) == 1 && function == RELEASE_ALL,
           "a short one has no probe: what it calls stands for it");
}

static void test_signals(void)
{
    struct function_info changed[FUNCTIONS];
    memcpy(changed, functions, sizeof changed);
    changed[KEEPER].referenced = changed[KEEPER].handles_signals = true;
    struct function_table other = {.functions = changed, .function_count = FUNCTIONS};
    struct refine_loop loop;
    refine_loop_init(&loop, &other, NULL);
    expect(!loop.timed[KEEPER], "nothing in the program handles signals");
    refine_loop_release(&loop);
    changed[SYNC].name = "sigaction";
    refine_loop_init(&loop, &other, NULL);
    expect(loop.timed[KEEPER] && !loop.opened[KEEPER], "a handler is timed from the start");
    refine_loop_release(&loop);
}

int main(void)
{
    test_reached();
    test_signals();
    test_rounds();
    test_short();
    test_through_short();
    test_short_through_pointer();
    test_hot();
    test_hottest();
    test_hot_that_passes_on();
    test_hot_caller();
    test_layers();
    test_many_callers();
    test_waker_for_another();
    test_before_it_came(NODE_WAIT);
    test_before_it_came(NODE_QUEUE);
    test_waker_of_many_steps();
    test_waker_without_name();
    test_threshold_and_outside();
    test_seen_calls();
    printf("%s\n", failed ? "failed" : "ok");
    return failed != 0;
}
