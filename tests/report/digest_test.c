/* report/variance/digest.h: what has a line, what shares one, and when the threshold rises. */
#include <stdio.h>

#include "report/variance/digest.h"

enum { NODES = 64 };

static int failures;
static struct tree_node nodes[NODES];
static struct variance_tree tree = {.nodes = nodes,
                                    .intervals = {.count = 9, .mean_ns = 1, .variance_ns2 = 1}};
static bool keep[NODES];
static uint32_t ranks[NODES];

static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    failures++;
}

static uint32_t add(uint32_t parent, enum node_kind kind, double share, uint32_t height)
{
    uint32_t index = tree.node_count++;
    keep[index] = false;
    ranks[index] = 0;
    nodes[index] = (struct tree_node){.kind = kind,
                                      .name = "node",
                                      .parent = parent,
                                      .share = share,
                                      .contribution = share,
                                      .height = height,
                                      .blamed = kind == NODE_WOKEN_BY || kind == NODE_FOR_ANOTHER};
    return index;
}

static void make(struct digest *digest, uint32_t lines, uint32_t depth)
{
    struct digest_wish wish = {.lines = lines,
                               .depth = depth,
                               .name_columns = 30,
                               .line_columns = 60,
                               .level_columns = 2,
                               .link_columns = 3,
                               .utf8 = true,
                               .keep = keep,
                               .ranks = ranks};
    digest_init(digest, &tree, &wish);
}

static void start(void)
{
    tree.node_count = 0;
    add(NODE_NONE, NODE_INTERVAL, 1, 9);
}

static void test_chain(void)
{
    struct digest digest;
    start();
    uint32_t at = 0;
    for (int i = 0; i < 4; i++)
        at = add(at, NODE_FUNCTION, 0.5, 4);
    make(&digest, 40, 20);
    expect(digest.count == 2 && digest.lines[1].first == 1 && digest.lines[1].node == 4,
           "four of the same share are one line");
    digest_release(&digest);
    ranks[2] = 1;
    make(&digest, 40, 20);
    expect(digest.count == 3 && digest.lines[1].node == 2 && digest.lines[2].depth == 2,
           "a chain ends at a ranked node");
    digest_release(&digest);
    for (int i = 0; i < 30; i++)
        at = add(at, NODE_FUNCTION, 0.5, 4);
    make(&digest, 40, 20);
    expect(digest.count == 4 && digest.lines[2].skipped == 30 && digest.lines[3].continued &&
               digest.lines[3].node == 34,
           "a long chain keeps its ends");
    digest_release(&digest);
}

static void test_small(void)
{
    struct digest digest;
    start();
    add(0, NODE_FUNCTION, 0.9, 1);
    add(0, NODE_FUNCTION, 0.019, 1);
    make(&digest, 40, 20);
    expect(digest.count == 3 && digest.lines[2].what == DIGEST_NODE, "one alone is not folded");
    digest_release(&digest);
    add(0, NODE_FUNCTION, 0.015, 1);
    make(&digest, 40, 20);
    expect(digest.count == 3 && digest.lines[2].what == DIGEST_REST && digest.folded, "two are");
    digest_release(&digest);
    keep[3] = true;
    nodes[2].share = nodes[2].contribution = 0.004;
    make(&digest, 40, 20);
    expect(digest.count == 3 && digest.lines[2].node == 3 && digest.folded,
           "what is to be kept has a line; what matters to nobody has none");
    digest_release(&digest);
}

static void test_rising(void)
{
    struct digest digest;
    start();
    for (int i = 0; i < 12; i++)
        add(0, NODE_FUNCTION, 0.021 + 0.005 * i, 1);
    make(&digest, 40, 20);
    expect(digest.count == 13 && digest.least == 0.02, "all twelve");
    digest_release(&digest);
    make(&digest, 9, 20);
    expect(digest.count == 8 && digest.least == 0.05, "six and the rest, from 5 % on");
    digest_release(&digest);
}

static void test_blocked(void)
{
    struct digest digest;
    start();
    uint32_t call = add(0, NODE_CALL, 0.9, 0), at = call;
    for (int i = 0; i < 3; i++) {
        uint32_t holder = add(at, NODE_WOKEN_BY, 0.8 - 0.1 * i, 3);
        at = add(holder, NODE_WOKEN_BY, 0.75 - 0.1 * i, 0);
    }
    make(&digest, 40, 20);
    expect(digest.count == 7 && digest.lines[6].what == DIGEST_WAITS && digest.lines[6].node == 5,
           "two levels of waiters");
    digest_release(&digest);
    make(&digest, 40, 3);
    expect(digest.count == 4 && digest.lines[3].what == DIGEST_DEEPER, "not deeper than asked for");
    digest_release(&digest);
}

static void test_for_another(void)
{
    struct digest digest;
    start();
    uint32_t call = add(0, NODE_CALL, 0.9, 0), at = call;
    for (int i = 0; i < 3; i++) {
        uint32_t other = add(at, NODE_FOR_ANOTHER, 0.8 - 0.1 * i, 0);
        uint32_t holder = add(other, NODE_WOKEN_BY, 0.8 - 0.1 * i, 3);
        at = add(holder, NODE_WOKEN_BY, 0.75 - 0.1 * i, 0);
    }
    make(&digest, 40, 20);
    expect(digest.count == 7 && digest.lines[6].what == DIGEST_WAITS && digest.lines[6].node == 7,
           "for whom the waker worked is no level of waiters");
    expect(digest.lines[2].first == 2 && digest.lines[2].node == 3, "and one line with its work");
    digest_release(&digest);
}

int main(void)
{
    test_chain();
    test_small();
    test_rising();
    test_blocked();
    test_for_another();
    return failures != 0;
}
