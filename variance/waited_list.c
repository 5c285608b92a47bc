#include "variance/waited_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"
#include "stats/wide.h"
#include "variance/block_sums.h"

struct listing {
    struct waited_list *list;
    const struct variance_tree *tree;
    const struct block_sums *sums;
    struct jackknife_sum whole; /* the variance of the latency */
    uint32_t *item_of;          /* by name: item + 1, or TOO_LITTLE */
};
#define TOO_LITTLE UINT32_MAX

/* The sums are exact, over some intervals. */
struct exact {
    uint64_t n;
    __int128 sum, square, latency, root;
};

static void add_block(struct exact *to, const struct block_sums *sums, uint32_t id, uint32_t block,
                      int by)
{
    const __int128 *column = site_sums_at(&sums->sites, id, block);
    to->n += (uint64_t)by * sums->intervals[block];
    to->sum += by * column[COLUMN_SUM];
    to->square += by * column[COLUMN_SQUARE];
    to->latency += by * column[COLUMN_LATENCY];
    to->root += by * block_sums_sum(sums, 0, block);
}

static void set_intervals(const struct listing *l, struct waited *waited, uint32_t id,
                          const struct exact *all)
{
    struct jackknife_sum part = {0}, with = {0};
    part.all = exact_variance(all->n, all->sum, all->square);
    with.all = exact_covariance(all->n, all->sum, all->root, all->latency);
    for (uint32_t b = 0; b < l->sums->block_count; b++) {
        struct exact left = *all;
        add_block(&left, l->sums, id, b, -1);
        part.left_out[b] = exact_variance(left.n, left.sum, left.square);
        with.left_out[b] = exact_covariance(left.n, left.sum, left.root, left.latency);
    }
    jackknife_ratio_interval(&part, &l->whole, l->sums->block_count, waited->ci95);
    jackknife_ratio_interval(&with, &l->whole, l->sums->block_count, waited->share_ci95);
}

static struct waited waited_of(const struct listing *l, uint32_t node, uint32_t id)
{
    struct waited waited = {.name = l->tree->nodes[node].name, .node = node};
    struct exact all = {0};
    uint64_t slow = l->tree->intervals.tail_count;
    const struct moments *root = &l->tree->nodes[0].moments;
    for (uint32_t b = 0; b < l->sums->block_count; b++)
        add_block(&all, l->sums, id, b, 1);
    struct wide whole = wide_spread(all.n, root->sum, root->sum, root->square);
    struct wide slower = wide_spread(all.n, root->sum, slow, root->tail);
    waited.mean_ns = exact_mean(all.n, all.sum);
    waited.contribution = wide_ratio(wide_spread(all.n, all.sum, all.sum, all.square), whole);
    waited.share = wide_ratio(wide_spread(all.n, all.sum, root->sum, all.latency), whole);
    waited.tail_share =
        wide_ratio(wide_spread(all.n, all.sum, slow, l->sums->sites.tails[id]), slower);
    if (waited.contribution >= WAITED_LEAST || fabs(waited.share) >= WAITED_LEAST)
        set_intervals(l, &waited, id, &all);
    return waited;
}

static bool is_below_itself(const struct variance_tree *tree, uint32_t node)
{
    const struct tree_node *nodes = tree->nodes;
    for (uint32_t up = nodes[node].parent; up != 0; up = nodes[up].parent)
        if (nodes[up].kind == NODE_WOKEN_BY && strcmp(nodes[up].name, nodes[node].name) == 0)
            return true;
    return false;
}

/* The list is sorted by size, either way. */
static int waited_order(const void *a, const void *b)
{
    const struct waited *s = a, *t = b;
    if (s->share != t->share)
        return s->share > t->share ? -1 : 1;
    return strcmp(s->name, t->name);
}

static void add_item(struct listing *l, uint32_t node, uint32_t id)
{
    struct waited waited = waited_of(l, node, id);
    l->item_of[id] = TOO_LITTLE;
    if (waited.contribution < WAITED_LEAST && fabs(waited.share) < WAITED_LEAST)
        return;
    l->list->items[l->list->count++] = waited;
    l->item_of[id] = l->list->count;
}

static void visit(struct listing *l, uint32_t node)
{
    const struct tree_node *nodes = l->tree->nodes;
    uint32_t id = site_sums_find(&l->sums->sites, NODE_WOKEN_BY, nodes[node].name);
    if (!l->item_of[id])
        add_item(l, node, id);
    if (l->item_of[id] == TOO_LITTLE)
        return;
    struct waited *item = &l->list->items[l->item_of[id] - 1];
    item->sites++;
    if (nodes[node].share > nodes[item->node].share)
        item->node = node;
}

void waited_list_build(struct waited_list *list, struct variance_tree *tree,
                       const struct block_sums *sums)
{
    size_t names = sums->sites.names.count;
    struct listing l = {.list = list, .tree = tree, .sums = sums};
    *list = (struct waited_list){.items = ARENA_ARRAY(&tree->arena, struct waited, names)};
    l.item_of = memory_zeroed(sizeof *l.item_of * names);
    block_sums_variance(sums, tree, 0, 1, &l.whole);
    for (uint32_t n = 1; n < tree->node_count; n++)
        if (tree->nodes[n].kind == NODE_WOKEN_BY && !is_below_itself(tree, n))
            visit(&l, n);
    qsort(list->items, list->count, sizeof *list->items, waited_order);
    memory_free(l.item_of);
}
