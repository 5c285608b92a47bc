/* report/variance/pairs.h: the same two names below the same one are one row. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "report/variance/pairs.h"

/*  interval: f (a, b, f (b, a, f (a, b))), g (a, b), f' waker (a, b) */
enum { ROOT, F, A, B, F2, B2, A2, F3, A3, B3, G, GA, GB, W, WA, WB, NODES };

static struct tree_node nodes[NODES] = {
    [F] = {.name = "f"},
    [A] = {.name = "a"},
    [B] = {.name = "b"},
    [F2] = {.name = "f"},
    [B2] = {.name = "b"},
    [A2] = {.name = "a"},
    [F3] = {.name = "f"},
    [A3] = {.name = "a"},
    [B3] = {.name = "b"},
    [G] = {.name = "g"},
    [GA] = {.name = "a"},
    [GB] = {.name = "b"},
    [W] = {.name = "f"},
    [WA] = {.name = "a", .blamed = true},
    [WB] = {.name = "b", .blamed = true},
};
static struct tree_covariance covariances[] = {
    {.parent = F, .a = A, .b = B, .contribution = 0.2},
    {.parent = F2, .a = B2, .b = A2, .contribution = -0.3},
    {.parent = F3, .a = A3, .b = B3, .contribution = 0.005},
    {.parent = G, .a = GA, .b = GB, .contribution = 0.25},
    {.parent = W, .a = WA, .b = WB, .contribution = 0.1},
};

int main(void)
{
    static const struct {
        uint32_t parent, others;
    } expected[] = {{F2, 1}, {G, 0}, {W, 0}};
    struct variance_tree tree = {
        .nodes = nodes, .node_count = NODES, .covariances = covariances, .covariance_count = 5};
    uint32_t count, failures = 0;
    struct sibling_pair *pairs = pairs_sorted(&tree, 0.01, &count);
    for (uint32_t i = 0; i < 3 && i < count; i++)
        failures += pairs[i].covariance->parent != expected[i].parent ||
                    pairs[i].others != expected[i].others;
    memory_free(pairs);
    printf("%u rows, 3 expected; %u of them wrong\n", count, failures);
    return failures || count != 3;
}
