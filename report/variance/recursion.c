#include "report/variance/recursion.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

struct folding {
    const struct variance_tree *tree;
    struct recursion *fold;
    uint32_t *level;  /* by node: how many of its function are right above it, with it */
    uint32_t *levels; /* by folded node: the most of those in it */
    uint32_t *last;   /* by folded node: its last child */
    bool *several;    /* by folded node: it stands for more than one */
};

static bool waits(const struct variance_tree *tree, uint32_t node)
{
    for (uint32_t c = tree->nodes[node].first_child; c != NODE_NONE;
         c = tree->nodes[c].next_sibling)
        if (tree->nodes[c].kind == NODE_WAIT)
            return true;
    return false;
}

/* A call may be one of the function that makes it. */
static bool is_again(const struct variance_tree *tree, uint32_t index)
{
    const struct tree_node *node = &tree->nodes[index], *parent = &tree->nodes[node->parent];
    return node->function != FUNCTION_NONE && node->function == parent->function &&
           node->blamed == parent->blamed && !waits(tree, node->parent);
}

static uint32_t child_alike(const struct folding *f, uint32_t parent, const struct tree_node *node)
{
    const struct tree_node *nodes = f->fold->tree.nodes;
    uint32_t c = nodes[parent].first_child;
    while (c != NODE_NONE &&
           (nodes[c].kind != node->kind || strcmp(nodes[c].name, node->name) != 0))
        c = nodes[c].next_sibling;
    return c;
}

static void add(struct tree_node *node, const struct tree_node *more)
{
    node->calls += more->calls;
    node->mean_ns += more->mean_ns;
    node->share += more->share;
    node->tail_share += more->tail_share;
    node->moments.sum += more->moments.sum;
    node->variance_ns2 = node->contribution = NAN;
}

static uint32_t append(struct folding *f, uint32_t parent, const struct tree_node *node)
{
    struct variance_tree *tree = &f->fold->tree;
    uint32_t index = tree->node_count++;
    tree->nodes[index] = *node;
    tree->nodes[index].parent = parent;
    tree->nodes[index].first_child = tree->nodes[index].next_sibling = NODE_NONE;
    if (parent == NODE_NONE)
        return index;
    if (tree->nodes[parent].first_child == NODE_NONE)
        tree->nodes[parent].first_child = index;
    else
        tree->nodes[f->last[parent]].next_sibling = index;
    f->last[parent] = index;
    return index;
}

static uint32_t fold_node(struct folding *f, uint32_t index)
{
    const struct tree_node *node = &f->tree->nodes[index];
    f->level[index] = 1;
    if (index == 0)
        return append(f, NODE_NONE, node);
    uint32_t parent = f->fold->node_of[node->parent];
    if (is_again(f->tree, index)) {
        f->level[index] += f->level[node->parent];
        if (f->level[index] > f->levels[parent])
            f->levels[parent] = f->level[index];
        f->several[parent] = f->fold->any = true;
        return parent;
    }
    uint32_t alike = f->several[parent] ? child_alike(f, parent, node) : NODE_NONE;
    if (alike == NODE_NONE)
        return append(f, parent, node);
    add(&f->fold->tree.nodes[alike], node);
    f->several[alike] = true;
    return alike;
}

static void name_levels(struct folding *f, bool utf8)
{
    for (uint32_t i = 0; i < f->fold->tree.node_count; i++) {
        struct tree_node *node = &f->fold->tree.nodes[i];
        if (f->levels[i])
            node->name =
                arena_printf(&f->fold->arena, utf8 ? "%s \u00d7%u%s" : "%s x%u%s", node->name,
                             f->levels[i], f->levels[i] == TREE_LEVELS ? "+" : "");
    }
}

void recursion_fold(struct recursion *fold, const struct variance_tree *tree, bool utf8)
{
    uint32_t count = tree->node_count;
    struct folding f = {.tree = tree,
                        .fold = fold,
                        .level = memory_zeroed(sizeof *f.level * count),
                        .levels = memory_zeroed(sizeof *f.levels * count),
                        .last = memory_zeroed(sizeof *f.last * count),
                        .several = memory_zeroed(sizeof *f.several * count)};
    *fold = (struct recursion){.tree = *tree};
    fold->node_of = memory_alloc(sizeof *fold->node_of * count);
    fold->tree.nodes = ARENA_ARRAY(&fold->arena, struct tree_node, count);
    fold->tree.node_count = fold->tree.covariance_count = 0;
    for (uint32_t i = 0; i < count; i++)
        fold->node_of[i] = fold_node(&f, i);
    name_levels(&f, utf8);
    memory_free(f.level);
    memory_free(f.levels);
    memory_free(f.last);
    memory_free(f.several);
}

void recursion_release(struct recursion *fold)
{
    memory_free(fold->node_of);
    arena_release(&fold->arena);
}
