#include "variance/variance_tree.h"

#include <stdio.h>

void variance_tree_release(struct variance_tree *tree)
{
    arena_release(&tree->arena);
    *tree = (struct variance_tree){0};
}

static const char *broken(const struct variance_tree *tree, uint32_t node, const char *what)
{
    static _Thread_local char text[256];
    snprintf(text, sizeof text, "node %u, %s: %s", node, tree->nodes[node].name, what);
    return text;
}

/* `pair` stands at the node's first covariance and is moved behind its last one. */
static const char *check_node(const struct variance_tree *tree, uint32_t node, uint32_t *pair)
{
    struct moments all = {0};
    uint64_t children = 0, pairs = 0;
    for (uint32_t c = tree->nodes[node].first_child; c != NODE_NONE;
         c = tree->nodes[c].next_sibling, children++) {
        all.sum += tree->nodes[c].moments.sum;
        all.square += tree->nodes[c].moments.square;
        all.latency += tree->nodes[c].moments.latency;
        all.tail += tree->nodes[c].moments.tail;
    }
    for (; *pair < tree->covariance_count && tree->covariances[*pair].parent == node; ++*pair) {
        all.square += 2 * tree->covariances[*pair].product;
        pairs++;
    }
    if (!children)
        return pairs ? broken(tree, node, "a leaf has covariances") : NULL;
    const struct moments *own = &tree->nodes[node].moments;
    if (pairs != children * (children - 1) / 2)
        return broken(tree, node, "a pair of children is missing");
    if (all.sum != own->sum)
        return broken(tree, node, "its time is not the sum of its children's");
    if (all.square != own->square)
        return broken(tree, node, "its variance is not that of its children and their pairs");
    if (all.tail != own->tail)
        return broken(tree, node, "its children's parts of the tail do not add up");
    return all.latency == own->latency ? NULL
                                       : broken(tree, node, "its children's shares do not add up");
}

static const char *check_types(const struct variance_tree *tree)
{
    const struct moments *root = &tree->nodes[0].moments;
    __int128 sum = 0, square = 0;
    uint64_t count = 0;
    for (uint32_t t = 0; t < tree->intervals.type_count; t++) {
        const struct interval_type_summary *type = &tree->intervals.types[t];
        count += type->count;
        sum += type->sum;
        square += type->square;
    }
    if (!count || (count == tree->intervals.count && sum == root->sum && square == root->square))
        return NULL;
    return "the types of intervals do not make up all of them";
}

/* The sums are equal in integers, so the variances and shares made of them are equal too. */
const char *variance_tree_check(const struct variance_tree *tree)
{
    uint32_t pair = 0;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const char *text = check_node(tree, n, &pair);
        if (text)
            return text;
    }
    if (pair != tree->covariance_count)
        return "a covariance belongs to no node";
    const struct moments *root = &tree->nodes[0].moments;
    if (root->latency != root->square)
        return broken(tree, 0, "it is not the latency");
    return check_types(tree);
}
