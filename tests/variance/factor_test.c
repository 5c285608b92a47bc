/* Algorithm 1 on trees whose ranking was worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "leaf_times.h"
#include "variance/variance.h"

static int failures;

static void expect_number(const char *what, double got, double expected)
{
    if (fabs(got - expected) <= 1e-9 * (fabs(expected) + 1))
        return;
    printf("%s is %.12g, expected %.12g\n", what, got, expected);
    failures++;
}

/* The ranking as "A+B 6.4, C 6.4, ...". */
static void expect_ranking(const char *name, const struct factor_list *list, uint32_t count,
                           const char *expected)
{
    struct str text = {0};
    for (uint32_t i = 0; i < list->count && i < count; i++) {
        const struct factor *f = &list->factors[i];
        str_printf(&text, "%s%s%s%s %.4g", i ? ", " : "", f->names[0], f->names[1] ? "+" : "",
                   f->names[1] ? f->names[1] : "", f->score);
        expect_number("rank", f->rank, i + 1);
    }
    if (strcmp(str_text(&text), expected) != 0) {
        printf("%s:\n  expected %s\n  but got  %s\n", name, expected, str_text(&text));
        failures++;
    }
    str_release(&text);
}

static const struct factor *factor_named(const struct factor_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!list->factors[i].names[1] && !strcmp(list->factors[i].names[0], name))
            return &list->factors[i];
    printf("no factor %s\n", name);
    failures++;
    static struct factor_site nowhere;
    static const struct factor none = {.sites = &nowhere};
    return &none;
}

static void run(struct run_builder *b, const struct leaf *leaves, uint32_t count,
                uint32_t intervals, struct variance_result *result)
{
    struct error error;
    leaf_times_build(b, leaves, count, intervals);
    if (!variance_analyze(result, &b->run, &b->table, &error)) {
        printf("%s\n", error.message);
        failures++;
    }
    const char *broken = variance_tree_check(&result->tree);
    if (broken) {
        printf("%s\n", broken);
        failures++;
    }
}

static void done(struct run_builder *b, struct variance_result *result)
{
    variance_result_release(result);
    run_builder_release(b);
}

/* Figure 1 (see variance_tree_test.c): graph height 2, A 1, B, C and the body 0; Var(L) = 1.25.
 *   contribution: A 1, B 1, C 1.6, body 0.8, body+B 1.6, body+C -1.6, B+C -2.4
 *   score: A (2-1)^2 * 1 = 1; the others (2-0)^2 = 4 times their contribution.
 * Equal scores stand by name; what is negative stands last. */
static void figure_1(void)
{
    static const struct leaf leaves[] = {
        {"A", {10, 10, 12, 12}}, {"A/B", {1, 2, 3, 4}}, {"A/C", {4, 2, 2, 0}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    uint32_t a = run_builder_function(&b, "A", true);
    run_builder_call(&b, a, run_builder_function(&b, "B", true));
    run_builder_call(&b, a, run_builder_function(&b, "C", true));
    run(&b, leaves, 3, 4, &result);
    expect_ranking("figure 1", &result.factors, 99,
                   "A [body]+B 6.4, C 6.4, B 4, A [body] 3.2, A 1, A [body]+C -6.4, B+C -9.6");
    const struct factor *pair = &result.factors.factors[0];
    expect_number("share of both", pair->share, 0.8 + 0.6);
    expect_number("kind", pair->kind, FACTOR_COVARIANCE);
    done(&b, &result);
}

/* Section 3.2.2: WriteLog makes 30 % of the variance and CopyData in it 28 %; the rest is the
 * caller's. Independent: +-837, +-529 and +-141 around a mean, so Var = 700569 + 279841 + 19881.
 * Heights: Transaction 2, WriteLog 1, CopyData 0; graph 3. */
static void write_log(void)
{
    static const struct leaf leaves[] = {{"Transaction", {1837, 1837, 163, 163}},
                                         {"Transaction/WriteLog", {10, 10, 10, 10}},
                                         {"Transaction/WriteLog/Lock", {641, 359, 359, 641}},
                                         {"Transaction/WriteLog/CopyData", {1529, 471, 1529, 471}},
                                         {"Transaction/WriteLog/Unlock", {5, 5, 5, 5}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    uint32_t transaction = run_builder_function(&b, "Transaction", true);
    uint32_t write_log_ = run_builder_function(&b, "WriteLog", true);
    run_builder_call(&b, transaction, write_log_);
    run_builder_call(&b, write_log_, run_builder_function(&b, "Lock", false));
    run_builder_call(&b, write_log_, run_builder_function(&b, "CopyData", true));
    run_builder_call(&b, write_log_, run_builder_function(&b, "Unlock", false));
    run(&b, leaves, 5, 4, &result);
    double all = 700569 + 279841 + 19881;
    const struct factor *log = factor_named(&result.factors, "WriteLog");
    const struct factor *copy = factor_named(&result.factors, "CopyData");
    expect_number("contribution of WriteLog", log->contribution, (279841 + 19881) / all);
    expect_number("contribution of CopyData", copy->contribution, 279841 / all);
    expect_number("score of WriteLog", log->score, 4 * (279841 + 19881) / all);
    expect_number("score of CopyData", copy->score, 9 * 279841 / all);
    expect_number("CopyData is ranked before WriteLog", copy->rank < log->rank, 1);
    done(&b, &result);
}

/* X (height 1), Y and W (height 0) vary independently: 0.6, 0.4, 0.3 of 1.3; graph height 4.
 *   linear    X 3*.6 = 1.8, Y 4*.4 = 1.6, W 4*.3 = 1.2     X Y W
 *   quadratic X 9*.6 = 5.4, Y 16*.4 = 6.4, W 16*.3 = 4.8   Y X W      the paper's, and ours
 *   cubic     X 27*.6 = 16.2, Y 25.6, W 19.2               Y W X
 * Amplitudes 775, 632, 548: squares 600625, 399424, 300304. */
static void specificity(void)
{
    static const struct leaf leaves[] = {{"top", {1, 1, 1, 1}},
                                         {"top/mid", {1, 1, 1, 1}},
                                         {"top/mid/X", {1775, 1775, 225, 225}},
                                         {"top/mid/Y", {1632, 368, 1632, 368}},
                                         {"top/mid/W", {1548, 452, 452, 1548}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    uint32_t top = run_builder_function(&b, "top", true);
    uint32_t mid = run_builder_function(&b, "mid", true);
    uint32_t x = run_builder_function(&b, "X", true);
    run_builder_call(&b, top, mid);
    run_builder_call(&b, mid, x);
    run_builder_call(&b, mid, run_builder_function(&b, "Y", true));
    run_builder_call(&b, mid, run_builder_function(&b, "W", true));
    run_builder_call(&b, x, run_builder_function(&b, "memcpy", false));
    run(&b, leaves, 5, 4, &result);
    expect_number("graph height", result.tree.graph_height, 4);
    const struct factor *first = factor_named(&result.factors, "Y");
    const struct factor *second = factor_named(&result.factors, "X");
    const struct factor *third = factor_named(&result.factors, "W");
    expect_number("score of Y", first->score, 16 * 399424 / 1300353.0);
    expect_number("score of X", second->score, 9 * 600625 / 1300353.0);
    expect_number("score of W", third->score, 16 * 300304 / 1300353.0);
    expect_number("Y X W", first->rank < second->rank && second->rank < third->rank, 1);
    done(&b, &result);
}

/* g is called in two places, Var 4 and 9 of 26, and they move together: 2 Cov = 12. One factor with
 * two places, the larger first; what both take together varies by 25. */
static void call_sites(void)
{
    static const struct leaf leaves[] = {
        {"serve", {0, 0, 0, 0}},           {"serve/parse", {0, 0, 0, 0}},
        {"serve/parse/g", {6, 2, 6, 2}},   {"serve/reply", {0, 0, 0, 0}},
        {"serve/reply/g", {10, 4, 10, 4}}, {"serve/h", {2, 2, 4, 4}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    run_builder_function(&b, "serve", true);
    run_builder_function(&b, "parse", true);
    run_builder_function(&b, "reply", true);
    run_builder_function(&b, "g", true);
    run_builder_function(&b, "h", true);
    run(&b, leaves, 6, 4, &result);
    const struct factor *g = factor_named(&result.factors, "g");
    expect_number("contribution of g", g->contribution, 25.0 / 26);
    expect_number("places of g", g->site_count, 2);
    expect_number("first place of g", g->sites[0].contribution, 9.0 / 26);
    done(&b, &result);
}

static const struct factor *pair_named(const struct factor_list *list, const char *a, const char *b)
{
    static const struct factor none;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct factor *f = &list->factors[i];
        if (f->names[1] && !strcmp(f->names[0], a) && !strcmp(f->names[1], b))
            return f;
    }
    return &none;
}

/* A request gets or puts, and both parse and send: send takes 10 or 12, parse 5, wherever.
 *   send         10 10 12 12     Var 1; its two sites alone 30.75 each: (100 + 144)/4 - 5.5^2
 *   parse         5  5  5  5     Var 0; its sites 6.25 each
 *   send, parse                  Cov 0; at its sites (50 + 60)/4 - 5.5 * 2.5 = 13.75 each
 *   latency      17 17 21 21     with log, 2 2 4 4: Var 4 */
static void excluding_sites(void)
{
    static const struct leaf leaves[] = {{"get", {0, 0, 0, 0}},        {"get/parse", {5, 0, 5, 0}},
                                         {"get/send", {10, 0, 12, 0}}, {"put", {0, 0, 0, 0}},
                                         {"put/parse", {0, 5, 0, 5}},  {"put/send", {0, 10, 0, 12}},
                                         {"log", {2, 2, 4, 4}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    for (uint32_t i = 0; i < 5; i++)
        run_builder_function(&b, (const char *const[]){"get", "put", "parse", "send", "log"}[i],
                             true);
    run(&b, leaves, 7, 4, &result);
    const struct factor *send = factor_named(&result.factors, "send");
    const struct factor *log = factor_named(&result.factors, "log");
    expect_number("contribution of send", send->contribution, 1 / 4.0);
    expect_number("places of send", send->site_count, 2);
    expect_number("a place of send", send->sites[0].contribution, 30.75 / 4);
    expect_number("contribution of log", log->contribution, 1 / 4.0);
    expect_number("send and log are one sure thing", send->ci95[1] - log->ci95[1], 0);
    expect_number("send and parse", pair_named(&result.factors, "parse", "send")->contribution, 0);
    for (uint32_t i = 0; i < result.factors.count; i++)
        expect_number("parse does not vary",
                      strcmp(result.factors.factors[i].names[0], "parse") ||
                          result.factors.factors[i].names[1],
                      1);
    done(&b, &result);
}

/* The same where the two sites are met in one request: 10 and 0, or 0 and 12, or 5 and 6. Of the
 * pair only what they have in common at a caller is told: they do not exclude each other. */
static void sites_of_one_interval(void)
{
    static const struct leaf leaves[] = {{"get", {0, 0, 0, 0}},        {"get/parse", {3, 0, 1, 0}},
                                         {"get/send", {10, 0, 5, 10}}, {"put", {0, 0, 0, 0}},
                                         {"put/parse", {0, 2, 1, 0}},  {"put/send", {0, 12, 6, 1}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    for (uint32_t i = 0; i < 4; i++)
        run_builder_function(&b, (const char *const[]){"get", "put", "parse", "send"}[i], true);
    run(&b, leaves, 6, 4, &result);
    /* send 10 12 11 11: Var 0.5; parse 3 2 2 0: Var 1.1875; L 13 14 13 11: Var 1.1875 */
    expect_number("contribution of send", factor_named(&result.factors, "send")->contribution,
                  0.5 / 1.1875);
    expect_number("contribution of parse", factor_named(&result.factors, "parse")->contribution, 1);
    /* Cov at get 35/4 - 1 * 6.25, at put 30/4 - 0.75 * 4.75 */
    expect_number("send and parse", pair_named(&result.factors, "parse", "send")->contribution,
                  2 * (2.5 + 3.9375) / 1.1875);
    done(&b, &result);
}

/* walk 2 5 with a leaf in it, and walk 4 1 that calls nothing: its own time is 6 6, and varies not.
 * The variance of what it takes with all below is that of the leaf. */
static void own_time_of_a_leaf(void)
{
    static const struct leaf leaves[] = {{"deep", {0, 0}},
                                         {"deep/walk", {2, 5}},
                                         {"deep/walk/leaf", {7, 9}},
                                         {"flat", {0, 0}},
                                         {"flat/walk", {4, 1}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    for (uint32_t i = 0; i < 4; i++)
        run_builder_function(&b, (const char *const[]){"deep", "flat", "walk", "leaf"}[i], true);
    run(&b, leaves, 5, 2, &result);
    expect_number("contribution of walk", factor_named(&result.factors, "walk")->contribution, 1);
    for (uint32_t i = 0; i < result.factors.count; i++)
        expect_number("its own time does not vary",
                      result.factors.factors[i].names[1] ||
                          strcmp(result.factors.factors[i].names[0], "walk [body]"),
                      1);
    done(&b, &result);
}

/* f calls itself: f 0/10 own, below it f 20/40 own, in it g. Counted where f stands highest; g's
 * factor and the pair f+f [body] are there once. L = 25 or 55. */
static void recursion(void)
{
    static const struct leaf leaves[] = {
        {"f", {1, 11}}, {"f/f", {20, 40}}, {"f/f/f", {3, 3}}, {"f/f/f/g", {1, 1}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    uint32_t f = run_builder_function(&b, "f", true);
    run_builder_call(&b, f, f);
    run_builder_call(&b, f, run_builder_function(&b, "g", true));
    run(&b, leaves, 4, 2, &result);
    const struct factor *factor = factor_named(&result.factors, "f");
    expect_number("contribution of f", factor->contribution, 1);
    expect_number("share of f", factor->share, 1);
    expect_number("places of f", factor->site_count, 1);
    /* the bodies are below each other only by name: f [body] is not below f [body]; 10 and 20 move
     * together */
    const struct factor *body = factor_named(&result.factors, "f [body]");
    expect_number("contribution of the bodies", body->contribution, 1);
    for (uint32_t i = 0; i < result.factors.count; i++)
        if (result.factors.factors[i].names[1])
            expect_number("places of the pair", result.factors.factors[i].site_count, 1);
    done(&b, &result);
}

/* A pair takes the larger height: tall 1 (it calls a leaf), short 0; graph 2. Cov = -0.5. */
static void pair_height(void)
{
    static const struct leaf leaves[] = {{"tall", {12, 10}}, {"short", {1, 2}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    uint32_t tall = run_builder_function(&b, "tall", true);
    run_builder_function(&b, "short", true);
    run_builder_call(&b, tall, run_builder_function(&b, "leaf", false));
    run(&b, leaves, 2, 2, &result);
    const struct factor *pair = &result.factors.factors[result.factors.count - 1];
    expect_number("height of the pair", pair->height, 1);
    expect_number("contribution of the pair", pair->contribution, 2 * -0.5 / 0.25);
    expect_number("score of the pair", pair->score, 2 * -0.5 / 0.25);
    done(&b, &result);
}

/* A cache: a hit saves in Y what it costs in X. X 10 or 2, Y 2 or 9, so L is 12 or 11:
 *   Var X 16, Var Y 12.25, Cov (10*2 + 2*9)/2 - 6*5.5 = -14, Var L 0.25 = 16 + 12.25 - 28
 * Without the pair, 28 would seem to be there to be saved; the three contributions sum to 1. */
static void negative_covariance(void)
{
    static const struct leaf leaves[] = {{"X", {10, 2}}, {"Y", {2, 9}}};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    run_builder_function(&b, "X", true);
    run_builder_function(&b, "Y", true);
    run(&b, leaves, 2, 2, &result);
    expect_ranking("negative covariance", &result.factors, 99, "X 64, Y 49, X+Y -112");
    expect_number("covariance", result.tree.covariances[0].covariance_ns2, -14);
    expect_number("share of X", result.tree.nodes[1].share, (16 - 14) / 0.25);
    expect_number("share of Y", result.tree.nodes[2].share, (12.25 - 14) / 0.25);
    done(&b, &result);
}

static void expect_waited(const struct waited *got, const char *name, double mean_ns,
                          double contribution, double share)
{
    if (strcmp(got->name, name) != 0) {
        printf("%s is waited for, not %s\n", got->name, name);
        failures++;
    }
    expect_number("mean", got->mean_ns, mean_ns);
    expect_number("contribution", got->contribution, contribution);
    expect_number("share", got->share, share);
    expect_number("within", got->share_ci95[0] <= share && share <= got->share_ci95[1], 1);
}

/* What a waker did explains the call above it and is no factor: neither its functions nor their
 * bodies. */
static void blamed(void)
{
    struct run_builder b;
    struct variance_result result;
    struct error error;
    run_builder_init(&b);
    uint32_t compact = run_builder_function(&b, "compact", true);
    uint32_t probe = run_builder_probe(&b, PROBE_FUNCTION, compact, FUNCTION_NONE);
    uint32_t a = run_builder_thread(&b, 1), holder = run_builder_thread(&b, 2);
    uint32_t flush = run_builder_function(&b, "flush", true);
    uint32_t flush_probe = run_builder_probe(&b, PROBE_FUNCTION, flush, FUNCTION_NONE);
    run_builder_enter(&b, holder, 0, probe, 0);
    for (time_ns i = 0; i < 4; i++) {
        time_ns begin = i * 1000, end = begin + 50 + i * 10;
        uint32_t interval = run_builder_interval(&b, a, begin, a, end);
        run_builder_block(&b, a,
                          (struct block){begin + 5, end - 5, 7, 0, TRACE_OP_MUTEX, holder, 0,
                                         end - 7, false, false, 0, HOLD_NONE, 0});
        run_builder_enter(&b, holder, begin + 10, flush_probe, 0);
        run_builder_leave(&b, holder, begin + 12 + i * 3);
        run_builder_label(&b, a, begin, interval);
        run_builder_label(&b, a, end, INTERVAL_NONE);
    }
    run_builder_leave(&b, holder, 5000);
    if (!variance_analyze(&result, &b.run, &b.table, &error))
        failures++;
    expect_ranking("blamed", &result.factors, 99, "pthread_mutex_lock 1");
    expect_number("law", variance_tree_check(&result.tree) == NULL, 1);
    /* of 50 + 10 i, compact has 38 + 10 i in all, and flush in it 2 + 3 i */
    expect_number("two are waited for", result.waited.count, 2);
    expect_waited(&result.waited.items[0], "compact", 53, 1, 1);
    expect_waited(&result.waited.items[1], "flush", 6.5, 0.09, 0.3);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < result.tree.node_count; i++)
        seen += result.tree.nodes[i].blamed && result.tree.nodes[i].function == compact;
    expect_number("compact is in the tree", seen, 1);
    for (uint32_t i = 1; i < result.tree.node_count; i++)
        if (result.tree.nodes[result.tree.nodes[i].parent].blamed)
            expect_number("all below it is blamed", result.tree.nodes[i].blamed, 1);
    uint32_t lock = result.tree.nodes[0].first_child;
    expect_number("its wait is not the waker's doing", result.tree.nodes[lock].blamed, 0);
    done(&b, &result);
}

/* Forty intervals, twenty blocks of two. One factor is the whole variance in every block: its
 * interval has no width. Of two that alternate, leaving any block out changes nothing either; one
 * that grows with time is less sure. */
static void confidence(void)
{
    struct leaf leaves[] = {{"steady", {0}}, {"grows", {0}}};
    for (int i = 0; i < 40; i++) {
        leaves[0].ns[i] = 100 + 40 * (i % 2);
        leaves[1].ns[i] = 10 + i * (i % 2);
    }
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    run_builder_function(&b, "steady", true);
    run_builder_function(&b, "grows", true);
    run(&b, leaves, 2, 40, &result);
    for (uint32_t i = 0; i < result.factors.count; i++) {
        const struct factor *f = &result.factors.factors[i];
        expect_number("within", f->ci95[0] < f->contribution && f->contribution < f->ci95[1], 1);
        expect_number("has a width", f->ci95[1] - f->ci95[0] > 0.001, 1);
        expect_number("is not wild", f->ci95[1] - f->ci95[0] < 1, 1);
    }
    expect_number("three factors", result.factors.count, 3);
    done(&b, &result);
    leaves[1] = (struct leaf){"grows", {0}};
    run_builder_init(&b);
    run_builder_function(&b, "steady", true);
    run_builder_function(&b, "grows", true);
    run(&b, leaves, 2, 40, &result);
    expect_number("one factor", result.factors.count, 1);
    expect_number("from 1", result.factors.factors[0].ci95[0], 1);
    expect_number("to 1", result.factors.factors[0].ci95[1], 1);
    done(&b, &result);
}

/* Three intervals, three blocks. X 1 2 4, Y 2 4 3, L 3 6 7: (3*21 - 49) / (3*94 - 256) = 14/26.
 * Of two intervals the ratio is (x1-x2)^2 / (L1-L2)^2: left out the first 4/1, the second 9/16, the
 * third 1/9; t(2) = 4.303. The share is 17/26, (3*43 - 7*16) / (3*94 - 256), and of two intervals
 * (x1-x2) / (L1-L2): 2, 3/4, 1/3. Of so few the variance itself is not sure: plain intervals. */
static double plain_upper_end(double estimate, const double left_out[3])
{
    double mean = (left_out[0] + left_out[1] + left_out[2]) / 3, squares = 0;
    for (int i = 0; i < 3; i++)
        squares += (left_out[i] - mean) * (left_out[i] - mean);
    return estimate + 4.303 * sqrt(squares * 2 / 3);
}

static void jackknife(void)
{
    static const struct leaf leaves[] = {{"X", {1, 2, 4}}, {"Y", {2, 4, 3}}};
    static const double left_out[] = {4, 9 / 16.0, 1 / 9.0};
    static const double shares_left_out[] = {2, 3 / 4.0, 1 / 3.0};
    struct run_builder b;
    struct variance_result result;
    run_builder_init(&b);
    run_builder_function(&b, "X", true);
    run_builder_function(&b, "Y", true);
    run(&b, leaves, 2, 3, &result);
    const struct factor *x = factor_named(&result.factors, "X");
    expect_number("contribution of X", x->contribution, 14.0 / 26);
    expect_number("its upper end", x->ci95[1], plain_upper_end(14.0 / 26, left_out));
    expect_number("share of X", x->share, 17.0 / 26);
    expect_number("its upper end", x->share_ci95[1], plain_upper_end(17.0 / 26, shares_left_out));
    done(&b, &result);
}

/* serve holds the time of `long`, and is no rival of it; `short` is. In every block of two, long
 * varies by 40, short by 20: scores of 1 * 400 against 1 * 100 whatever is left out. Then both vary
 * by 40 and by 20 in turns of a block: equal, and not separated. Last, all the variance is that of
 * one interval: leaving its block out leaves none, so that nothing is sure of it. */
static void rivals(void)
{
    struct leaf leaves[] = {{"serve", {0}}, {"serve/long", {0}}, {"serve/short", {0}}};
    for (int turn = 0; turn < 3; turn++) {
        struct run_builder b;
        struct variance_result result;
        run_builder_init(&b);
        uint32_t serve = run_builder_function(&b, "serve", true);
        run_builder_call(&b, serve, run_builder_function(&b, "long", true));
        run_builder_call(&b, serve, run_builder_function(&b, "short", true));
        for (int i = 0; i < 40; i++) {
            bool swap = turn == 1 && i / 2 % 2;
            leaves[1].ns[i] = turn == 2 ? (i == 7 ? 900 : 100) : 100 + (swap ? 20 : 40) * (i % 2);
            leaves[2].ns[i] = turn == 2 ? 50 : 50 + (swap ? 40 : 20) * (i % 2);
        }
        run(&b, leaves, 3, 40, &result);
        const struct factor *first = factor_named(&result.factors, "long");
        if (turn == 0)
            expect_number("rival of long", first->rival,
                          factor_named(&result.factors, "short")->rank);
        expect_number("rival of serve", factor_named(&result.factors, "serve")->rival, 0);
        if (turn < 2)
            expect_number("separated", first->separated, turn == 0);
        else
            expect_number("alone, and from one block", first->rival + first->separated, 0);
        expect_number("steady", result.factors.steady, turn < 2);
        done(&b, &result);
    }
}

int main(void)
{
    rivals();
    jackknife();
    pair_height();
    figure_1();
    write_log();
    specificity();
    call_sites();
    excluding_sites();
    sites_of_one_interval();
    own_time_of_a_leaf();
    recursion();
    negative_covariance();
    blamed();
    confidence();
    printf("%d failed\n", failures);
    return failures != 0;
}
