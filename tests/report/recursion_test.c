/* report/variance/recursion.h: what becomes one node, what is added up, and what stays apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/variance/recursion.h"

enum { NODES = 64, VISIT = 1, SLEEP, OTHER, LOCK };

static int failures;
static struct tree_node nodes[NODES];
static struct variance_tree tree = {.nodes = nodes};

static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    printf("not so: %s\n", what);
    failures++;
}

static uint32_t add(uint32_t parent, enum node_kind kind, uint32_t function, const char *name,
                    double share)
{
    uint32_t index = tree.node_count++;
    nodes[index] = (struct tree_node){.kind = kind,
                                      .function = function,
                                      .name = name,
                                      .parent = parent,
                                      .first_child = NODE_NONE,
                                      .next_sibling = NODE_NONE,
                                      .share = share,
                                      .contribution = share,
                                      .variance_ns2 = share,
                                      .mean_ns = 100 * share,
                                      .calls = 1,
                                      .blamed = kind == NODE_WOKEN_BY};
    if (parent == NODE_NONE)
        return index;
    nodes[index].next_sibling = nodes[parent].first_child;
    nodes[parent].first_child = index;
    return index;
}

static void start(void)
{
    tree.node_count = 0;
    add(NODE_NONE, NODE_INTERVAL, FUNCTION_NONE, "interval", 1);
}

static const struct tree_node *child(const struct recursion *fold, uint32_t parent,
                                     const char *name)
{
    uint32_t c = fold->tree.nodes[parent].first_child;
    while (c != NODE_NONE && strcmp(fold->tree.nodes[c].name, name) != 0)
        c = fold->tree.nodes[c].next_sibling;
    return c == NODE_NONE ? NULL : &fold->tree.nodes[c];
}

/* visit 20 deep, each with a usleep of its own. */
static void test_deep(void)
{
    struct recursion fold;
    start();
    uint32_t at = 0, sleep = 0;
    for (int i = 0; i < 20; i++) {
        at = add(at, NODE_FUNCTION, VISIT, "visit", 1 - i / 20.0);
        sleep = add(at, NODE_CALL, SLEEP, "usleep", 1 / 20.0);
    }
    recursion_fold(&fold, &tree, true);
    const struct tree_node *visit = child(&fold, 0, "visit \u00d720");
    expect(fold.any && fold.tree.node_count == 3, "three nodes are left");
    expect(visit && visit->share == 1 && visit->contribution == 1 && visit->calls == 1,
           "the outer call is as it was");
    uint32_t outer = fold.node_of[1];
    const struct tree_node *all = child(&fold, outer, "usleep");
    expect(all && fabs(all->share - 1) < 1e-12 && fabs(all->mean_ns - 100) < 1e-9 &&
               all->calls == 20,
           "shares, means and calls add up");
    expect(all && isnan(all->contribution) && isnan(all->variance_ns2), "variances do not");
    expect(fold.node_of[at] == outer && all == &fold.tree.nodes[fold.node_of[sleep]],
           "every node has its place");
    recursion_release(&fold);
    recursion_fold(&fold, &tree, false);
    expect(child(&fold, 0, "visit x20") != NULL, "without UTF-8");
    recursion_release(&fold);
}

/* visit -> other -> visit; visit beside visit; a lock whose holder waits for a lock. */
static void test_apart(void)
{
    struct recursion fold;
    start();
    uint32_t visit = add(0, NODE_FUNCTION, VISIT, "visit", 0.9);
    uint32_t other = add(visit, NODE_FUNCTION, OTHER, "other", 0.8);
    add(other, NODE_FUNCTION, VISIT, "visit", 0.7);
    uint32_t lock = add(other, NODE_WOKEN_BY, LOCK, "lock", 0.1);
    add(lock, NODE_WAIT, FUNCTION_NONE, "wake-up latency", 0.01);
    add(lock, NODE_WOKEN_BY, LOCK, "lock", 0.05);
    recursion_fold(&fold, &tree, true);
    expect(!fold.any && fold.tree.node_count == tree.node_count, "nothing is folded");
    recursion_release(&fold);
}

/* What is below the merged ones is merged as well, two levels down. */
static void test_below(void)
{
    struct recursion fold;
    start();
    uint32_t at = add(0, NODE_FUNCTION, VISIT, "visit", 1);
    for (int i = 0; i < 2; i++) {
        uint32_t other = add(at, NODE_FUNCTION, OTHER, "other", 0.25);
        add(other, NODE_CALL, SLEEP, "usleep", 0.2);
        add(other, NODE_BODY, FUNCTION_NONE, "other [body]", 0.05);
        at = i ? at : add(at, NODE_FUNCTION, VISIT, "visit", 0.5);
    }
    recursion_fold(&fold, &tree, true);
    expect(fold.tree.node_count == 5, "interval, visit, other, usleep, body");
    const struct tree_node *other = child(&fold, 1, "other");
    expect(other && other->share == 0.5, "other has both");
    const struct tree_node *sleep =
        other ? child(&fold, (uint32_t)(other - fold.tree.nodes), "usleep") : NULL;
    expect(sleep && sleep->share == 0.4, "and its usleep");
    recursion_release(&fold);
}

int main(void)
{
    test_deep();
    test_apart();
    test_below();
    return failures != 0;
}
