/* report/variance/headline.h: "Next" names what is not told already. */
#include <stdio.h>
#include <string.h>

#include "report/variance/headline.h"

static int failures;

/*  interval: serve (get (lock), put (lock, write)), log */
enum { ROOT, SERVE, GET, GET_LOCK, PUT, PUT_LOCK, PUT_WRITE, LOG, NODES };

static struct tree_node nodes[NODES] = {
    [ROOT] = {.parent = NODE_NONE, .contribution = 1},
    [SERVE] = {.parent = ROOT, .contribution = 0.9},
    [GET] = {.parent = SERVE, .contribution = 0.4},
    [GET_LOCK] = {.parent = GET, .contribution = 0.39},
    [PUT] = {.parent = SERVE, .contribution = 0.35},
    [PUT_LOCK] = {.parent = PUT, .contribution = 0.3},
    [PUT_WRITE] = {.parent = PUT, .contribution = 0.05},
    [LOG] = {.parent = ROOT, .contribution = 0.1},
};

static struct factor_site lock_sites[] = {{GET_LOCK, NODE_NONE, 0.39}, {PUT_LOCK, NODE_NONE, 0.3}};
static struct factor_site get[] = {{GET, NODE_NONE, 0.4}}, put[] = {{PUT, NODE_NONE, 0.35}},
                          serve[] = {{SERVE, NODE_NONE, 0.9}}, journal[] = {{LOG, NODE_NONE, 0.1}};

static struct factor one(uint32_t rank, const char *name, double share, struct factor_site *sites,
                         uint32_t count)
{
    return (struct factor){.rank = rank,
                           .names = {name},
                           .contribution = share,
                           .share = share,
                           .ci95 = {share - 0.01, share + 0.01},
                           .sites = sites,
                           .site_count = count};
}

static void expect(struct factor *factors, uint32_t count, const char *expected)
{
    struct variance_tree tree = {.nodes = nodes,
                                 .node_count = NODES,
                                 .intervals = {.count = 9, .mean_ns = 1, .variance_ns2 = 1}};
    struct factor_list list = {.factors = factors, .count = count};
    struct report of = {.target = "t", .top = 3, .threshold = 0.05};
    struct variance_report report = {.of = &of, .tree = &tree, .factors = &list};
    struct str text = {0};
    headline_write(&report, 48, true, &text);
    if (strcmp(str_text(&text), expected) != 0) {
        fprintf(stderr, "expected \"%s\"\n     got \"%s\"\n", expected, str_text(&text));
        failures++;
    }
    str_release(&text);
}

/* serve holds all of the time: what explains the latency is below it. Where nothing below is worth
 * a word it is named after all; and so it is where it holds little of the time, however it varies.
 */
static void holds_all(void)
{
    struct factor factors[] = {one(1, "serve", 0.99, serve, 1), one(2, "log", 0.1, journal, 1),
                               one(3, "get", 0.4, get, 1), one(4, "put", 0.04, put, 1)};
    nodes[ROOT].mean_ns = 100;
    nodes[SERVE].mean_ns = 99;
    expect(factors, 4, "40 % of the latency variance of t is get. Next: log 10 %.");
    expect(factors, 2, "99 % of the latency variance of t is serve. Next: log 10 %.");
    factors[2].share = 0.04;
    expect(factors, 4, "99 % of the latency variance of t is serve. Next: log 10 %.");
    factors[2].share = 0.4;
    nodes[GET].kind = NODE_WAIT;
    expect(factors, 4, "99 % of the latency variance of t is serve. Next: log 10 %.");
    nodes[GET].kind = NODE_INTERVAL;
    nodes[SERVE].mean_ns = 60;
    expect(factors, 4, "99 % of the latency variance of t is serve. Next: log 10 %.");
    nodes[ROOT].mean_ns = nodes[SERVE].mean_ns = 0;
}

/* What the thread did for which an interval waited: as far down as most of the wait is one thing.
 */
static void what_it_waited_for(enum node_kind kind, double share, const char *expected)
{
    struct tree_node before[NODES];
    struct factor factors[] = {one(1, "waiting", 0.9, serve, 1)};
    memcpy(before, nodes, sizeof nodes);
    for (int i = 0; i < NODES; i++)
        nodes[i].first_child = nodes[i].next_sibling = NODE_NONE;
    nodes[SERVE].kind = kind;
    nodes[SERVE].share = 0.9;
    nodes[SERVE].first_child = GET;
    nodes[GET] = (struct tree_node){.kind = NODE_FOR_ANOTHER,
                                    .name = "another interval",
                                    .parent = SERVE,
                                    .first_child = GET_LOCK,
                                    .next_sibling = PUT,
                                    .share = 0.8,
                                    .blamed = true};
    nodes[PUT].share = 0.1;
    nodes[PUT].blamed = true;
    nodes[GET_LOCK].kind = NODE_WOKEN_BY;
    nodes[GET_LOCK].name = "render";
    nodes[GET_LOCK].share = share;
    nodes[GET_LOCK].blamed = true;
    expect(factors, 1, expected);
    memcpy(nodes, before, sizeof nodes);
}

int main(void)
{
    struct factor factors[] = {one(1, "lock", 0.7, lock_sites, 2), one(2, "get", 0.4, get, 1),
                               one(3, "put", 0.35, put, 1), one(4, "serve", 0.9, serve, 1),
                               one(5, "log", 0.1, journal, 1)};
    expect(factors, 5, "70 % of the latency variance of t is lock. Next: log 10 %.");
    expect(factors, 4, "70 % of the latency variance of t is lock.");
    lock_sites[1].contribution = 0.1;
    expect(factors, 5, "70 % of the latency variance of t is lock. Next: put 35 %, log 10 %.");
    factors[4].ci95[0] = -0.01;
    expect(factors, 5, "70 % of the latency variance of t is lock. Next: put 35 %.");
    holds_all();
    what_it_waited_for(NODE_WAIT, 0.7,
                       "90 % of the latency variance of t is waiting. Most of it, 70 %, its thread "
                       "was in render.");
    what_it_waited_for(NODE_QUEUE, 0.3,
                       "90 % of the latency variance of t is waiting. Most of it, 80 %, its thread "
                       "was at work for another interval.");
    what_it_waited_for(NODE_CALL, 0.7, "90 % of the latency variance of t is waiting.");
    return failures != 0;
}
