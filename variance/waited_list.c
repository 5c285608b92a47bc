#include "variance/waited_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"
#include "stats/wide.h"
#include "variance/block_sums.h"

/* Exact sums over some intervals: of what is waited for, and of the latency. */
struct exact {
    uint64_t n;
    __int128 sum, square, latency, root_sum, root_square;
};

static void add_block(struct exact *to, const struct block_sums *sums, uint32_t id, uint32_t block,
                      int by)
{
    const __int128 *column = site_sums_at(&sums->sites, id, block);
    size_t root = (size_t)sums->node_slot[0] * sums->block_count + block;
    to->n += (uint64_t)by * sums->intervals[block];
    to->sum += by * column[COLUMN_SUM];
    to->square += by * column[COLUMN_SQUARE];
    to->latency += by * column[COLUMN_LATENCY];
    to->root_sum += by * sums->sum[root];
    to->root_square += by * sums->square[root];
}

static void set_intervals(struct waited *waited, const struct block_sums *sums, uint32_t id,
                          const struct exact *all)
{
    struct jackknife_sum part = {0}, with = {0}, whole = {0};
    part.all = exact_variance(all->n, all->sum, all->square);
    with.all = exact_covariance(all->n, all->sum, all->root_sum, all->latency);
    whole.all = exact_variance(all->n, all->root_sum, all->root_square);
    for (uint32_t b = 0; b < sums->block_count; b++) {
        struct exact left = *all;
        add_block(&left, sums, id, b, -1);
        part.left_out[b] = exact_variance(left.n, left.sum, left.square);
        with.left_out[b] = exact_covariance(left.n, left.sum, left.root_sum, left.latency);
        whole.left_out[b] = exact_variance(left.n, left.root_sum, left.root_square);
    }
    jackknife_ratio_interval(&part, &whole, sums->block_count, waited->ci95);
    jackknife_ratio_interval(&with, &whole, sums->block_count, waited->share_ci95);
}

static void set_numbers(struct waited *waited, const struct variance_tree *tree,
                        const struct block_sums *sums, uint32_t id)
{
    struct exact all = {0};
    uint64_t slow = tree->intervals.tail_count;
    const struct moments *root = &tree->nodes[0].moments;
    for (uint32_t b = 0; b < sums->block_count; b++)
        add_block(&all, sums, id, b, 1);
    struct wide whole = wide_spread(all.n, all.root_sum, all.root_sum, all.root_square);
    waited->mean_ns = exact_mean(all.n, all.sum);
    waited->contribution = wide_ratio(wide_spread(all.n, all.sum, all.sum, all.square), whole);
    waited->share = wide_ratio(wide_spread(all.n, all.sum, all.root_sum, all.latency), whole);
    waited->tail_share = wide_ratio(wide_spread(all.n, all.sum, slow, sums->sites.tails[id]),
                                    wide_spread(all.n, root->sum, slow, root->tail));
    set_intervals(waited, sums, id, &all);
}

static bool is_below_itself(const struct variance_tree *tree, uint32_t node)
{
    const struct tree_node *nodes = tree->nodes;
    for (uint32_t up = nodes[node].parent; up != 0; up = nodes[up].parent)
        if (nodes[up].kind == NODE_WOKEN_BY && strcmp(nodes[up].name, nodes[node].name) == 0)
            return true;
    return false;
}

/* By size, either way. */
static int waited_order(const void *a, const void *b)
{
    const struct waited *s = a, *t = b;
    if (s->share != t->share)
        return s->share > t->share ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* One item for each name; `item_of` is by name. */
static void find_items(struct waited_list *list, const struct variance_tree *tree,
                       const struct block_sums *sums, uint32_t *item_of)
{
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        if (node->kind != NODE_WOKEN_BY || is_below_itself(tree, n))
            continue;
        uint32_t id = site_sums_find(&sums->sites, NODE_WOKEN_BY, node->name);
        if (id == INTERN_NONE)
            continue;
        if (!item_of[id]) {
            list->items[list->count++] = (struct waited){.name = node->name, .node = n};
            item_of[id] = list->count;
            set_numbers(&list->items[list->count - 1], tree, sums, id);
        }
        struct waited *item = &list->items[item_of[id] - 1];
        item->sites++;
        if (node->share > tree->nodes[item->node].share)
            item->node = n;
    }
}

void waited_list_build(struct waited_list *list, struct variance_tree *tree,
                       const struct block_sums *sums)
{
    size_t names = sums->sites.names.count;
    uint32_t *item_of = memory_zeroed(sizeof *item_of * names);
    *list = (struct waited_list){.items = ARENA_ARRAY(&tree->arena, struct waited, names)};
    find_items(list, tree, sums, item_of);
    qsort(list->items, list->count, sizeof *list->items, waited_order);
    memory_free(item_of);
}
