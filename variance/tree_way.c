#include "variance/tree_way.h"

#include "base/memory.h"

bool tree_way_begins(const struct tree_node *node, const struct tree_node *parent)
{
    if (node->kind == NODE_FOR_ANOTHER)
        return true;
    bool waited = !parent->blamed || parent->blocked || parent->kind == NODE_WAIT ||
                  parent->kind == NODE_QUEUE;
    return node->kind == NODE_WOKEN_BY && parent->kind != NODE_FOR_ANOTHER && waited;
}

struct tree_way *tree_ways(const struct variance_tree *tree)
{
    struct tree_way *ways = memory_zeroed(sizeof *ways * tree->node_count);
    ways[0].function = NODE_NONE;
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        bool begins = tree_way_begins(node, &tree->nodes[node->parent]);
        ways[n].context = begins ? n : ways[node->parent].context;
        ways[n].function = node->body ? n : begins ? NODE_NONE : ways[node->parent].function;
    }
    return ways;
}

uint32_t tree_way_caller(const struct variance_tree *tree, const struct tree_way *ways,
                         uint32_t node)
{
    if (ways[node].context == node)
        return NODE_NONE;
    return ways[tree->nodes[node].parent].function;
}
