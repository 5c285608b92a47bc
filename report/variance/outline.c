#include "report/variance/outline.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/kit/interval_words.h"

struct entry {
    uint32_t parent, node;
    bool shown;
    double weight;
};

bool outline_varies(const struct variance_tree *tree)
{
    return intervals_vary(&tree->intervals);
}

double outline_weight(const struct variance_tree *tree, uint32_t node)
{
    const struct tree_node *this = &tree->nodes[node];
    if (outline_varies(tree))
        return this->share;
    return tree->intervals.mean_ns > 0 ? this->mean_ns / tree->intervals.mean_ns : 0;
}

bool outline_matters(const struct variance_tree *tree, uint32_t node, double least)
{
    if (fabs(outline_weight(tree, node)) >= least)
        return true;
    return outline_varies(tree) && fabs(tree->nodes[node].contribution) >= least;
}

void outline_extremes(const struct variance_tree *tree, double least, bool *above, bool *negative)
{
    *above = *negative = false;
    for (uint32_t i = 0; i < tree->node_count && outline_varies(tree); i++) {
        const struct tree_node *node = &tree->nodes[i];
        double most = fmax(node->contribution, fmax(node->share, node->tail_share));
        *above = *above || most >= 1 + least;
        *negative = *negative || fmin(node->share, node->tail_share) <= -least;
    }
}

/* Entries are sorted by parent; of one parent those that are shown come first, the largest
 * first. */
static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->shown != b->shown)
        return a->shown ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static struct entry *entries_sorted(const struct variance_tree *tree, double least)
{
    struct entry *entries = memory_zeroed(sizeof *entries * (tree->node_count + 1));
    for (uint32_t i = tree->node_count; i-- > 1;) {
        struct entry *entry = &entries[i];
        *entry = (struct entry){.parent = tree->nodes[i].parent,
                                .node = i,
                                .shown = entry->shown || outline_matters(tree, i, least),
                                .weight = outline_weight(tree, i)};
        if (entry->shown)
            entries[entry->parent].shown = true;
    }
    if (tree->node_count > 1)
        qsort(entries + 1, tree->node_count - 1, sizeof *entries, compare_entries);
    return entries;
}

void outline_init(struct outline *outline, const struct variance_tree *tree, double least)
{
    uint32_t count = tree->node_count;
    *outline = (struct outline){.tree = tree,
                                .lists = memory_zeroed(sizeof *outline->lists * (count + 1)),
                                .nodes = memory_zeroed(sizeof *outline->nodes * (count + 1))};
    struct entry *entries = entries_sorted(tree, least);
    for (uint32_t i = 1; i < count; i++) {
        struct outline_list *list = &outline->lists[entries[i].parent];
        outline->nodes[i] = entries[i].node;
        if (list->count++ == 0)
            list->nodes = &outline->nodes[i];
        list->shown += entries[i].shown;
    }
    memory_free(entries);
}

void outline_release(struct outline *outline)
{
    memory_free(outline->lists);
    memory_free(outline->nodes);
    *outline = (struct outline){0};
}
