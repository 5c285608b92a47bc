/* report/variance/outline.h: a node that itself does not matter is shown for what stands below it.
 */
#include <stdio.h>
#include <string.h>

#include "report/variance/outline.h"

static int failures;

static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    failures++;
}

/*  0 interval 100 %: 1 small 0.1 % (2 up 40 %, 3 down -39.9 %), 4 big 99 %, 5 tiny 0.9 % */
static struct tree_node nodes[] = {
    {.parent = NODE_NONE, .share = 1, .contribution = 1, .mean_ns = 100},
    {.parent = 0, .share = 0.001, .contribution = 0.001, .mean_ns = 50},
    {.parent = 1, .share = 0.4, .contribution = 0.4, .mean_ns = 49.5},
    {.parent = 1, .share = -0.399, .contribution = 0.4, .mean_ns = 0.5},
    {.parent = 0, .share = 0.99, .contribution = 0.9, .mean_ns = 40},
    {.parent = 0, .share = 0.009, .contribution = -0.009, .mean_ns = 10},
};

static void test_variance(const struct variance_tree *tree)
{
    struct outline outline;
    outline_init(&outline, tree, 0.01);
    const struct outline_list *top = &outline.lists[0], *small = &outline.lists[1];
    expect(top->count == 3 && top->shown == 2, "two of three are shown");
    expect(top->nodes[0] == 4 && top->nodes[1] == 1 && top->nodes[2] == 5, "the largest first");
    expect(small->count == 2 && small->shown == 2 && small->nodes[0] == 2, "both that cancel");
    expect(outline.lists[4].count == 0, "a leaf has no list");
    outline_release(&outline);
}

static void test_mean(const struct variance_tree *tree)
{
    struct outline outline;
    outline_init(&outline, tree, 0.01);
    expect(!outline_varies(tree), "nothing varies");
    expect(outline_weight(tree, 4) == 0.4, "the mean takes the share's place");
    expect(outline.lists[0].nodes[0] == 1 && outline.lists[0].shown == 3, "by mean");
    expect(outline.lists[1].shown == 1, "a small mean is not shown");
    outline_release(&outline);
}

static void test_extremes(struct variance_tree *tree)
{
    bool above, negative;
    outline_extremes(tree, 0.005, &above, &negative);
    expect(!above && negative, "one of -39.9 %, none above 100 %");
    outline_extremes(tree, 0.4, &above, &negative);
    expect(!above && !negative, "none of -40 %");
    nodes[4].tail_share = 1.02;
    outline_extremes(tree, 0.005, &above, &negative);
    expect(above, "102 % of the tail");
    nodes[4].tail_share = 0;
}

int main(void)
{
    struct variance_tree tree = {
        .nodes = nodes, .node_count = 6, .intervals = {.count = 9, .mean_ns = 100}};
    tree.intervals.variance_ns2 = 25;
    test_variance(&tree);
    test_extremes(&tree);
    tree.intervals.variance_ns2 = 0;
    test_mean(&tree);
    return failures != 0;
}
