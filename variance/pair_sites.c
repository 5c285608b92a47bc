#include "variance/pair_sites.h"

#include <string.h>

#include "base/memory.h"
#include "stats/exact_moments.h"

/* Of a node, in the mean: of all intervals, and of those outside each block. */
struct means {
    double all, left_out[JACKKNIFE_BLOCKS];
};

static void find_means(struct means *means, const struct variance_tree *tree,
                       const struct block_sums *sums, uint32_t node)
{
    uint64_t n = tree->intervals.count;
    __int128 sum = tree->nodes[node].moments.sum;
    means->all = exact_mean(n, sum);
    for (uint32_t b = 0; b < sums->block_count; b++)
        means->left_out[b] =
            exact_mean(n - sums->intervals[b], sum - block_sums_sum(sums, node, b));
}

static uint32_t depth_of(const struct variance_tree *tree, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0; node = tree->nodes[node].parent)
        depth++;
    return depth;
}

/* Neither is above the other: moves both up to the siblings that lead to them. */
static void climb(const struct variance_tree *tree, uint32_t *a, uint32_t *b)
{
    uint32_t depth_a = depth_of(tree, *a), depth_b = depth_of(tree, *b);
    for (; depth_a > depth_b; depth_a--)
        *a = tree->nodes[*a].parent;
    for (; depth_b > depth_a; depth_b--)
        *b = tree->nodes[*b].parent;
    while (tree->nodes[*a].parent != tree->nodes[*b].parent) {
        *a = tree->nodes[*a].parent;
        *b = tree->nodes[*b].parent;
    }
}

/* No interval has both. */
static bool exclude_each_other(const struct variance_tree *tree, const struct block_sums *sums,
                               uint32_t a, uint32_t b)
{
    climb(tree, &a, &b);
    return a != b && tree->covariances[block_sums_pair(sums, tree, a, b)].product == 0;
}

static void add_product(const struct means *a, const struct means *b, uint32_t blocks, double by,
                        struct jackknife_sum *sum)
{
    sum->all -= by * a->all * b->all;
    for (uint32_t i = 0; i < blocks; i++)
        sum->left_out[i] -= by * a->left_out[i] * b->left_out[i];
}

/* Which of the two functions stands at `a` is a matter of the tree's order. */
static bool is_swapped(const struct variance_tree *tree, const struct factor_site *s,
                       const struct factor_site *t)
{
    return strcmp(tree->nodes[s->a].name, tree->nodes[t->a].name) != 0 ||
           node_kind_of_call(tree->nodes[s->a].kind) != node_kind_of_call(tree->nodes[t->a].kind);
}

void pair_sites_add_excluded(const struct factor *factor, const struct variance_tree *tree,
                             const struct block_sums *sums, double by, struct jackknife_sum *sum)
{
    uint32_t count = factor->site_count < PAIR_SITES_MOST ? factor->site_count : PAIR_SITES_MOST;
    if (count < 2)
        return;
    struct means(*means)[2] = memory_alloc(sizeof *means * count);
    for (uint32_t i = 0; i < count; i++) {
        const struct factor_site *s = &factor->sites[i];
        bool swap = is_swapped(tree, &factor->sites[0], s);
        find_means(&means[i][swap], tree, sums, s->a);
        find_means(&means[i][!swap], tree, sums, s->b);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct factor_site *s = &factor->sites[i], *t = &factor->sites[j];
            if (tree->nodes[s->a].parent == tree->nodes[t->a].parent)
                continue;
            bool swap = is_swapped(tree, s, t);
            bool own = is_swapped(tree, &factor->sites[0], s);
            if (exclude_each_other(tree, sums, s->a, swap ? t->a : t->b))
                add_product(&means[i][own], &means[j][!own], sums->block_count, by, sum);
            if (exclude_each_other(tree, sums, s->b, swap ? t->b : t->a))
                add_product(&means[i][!own], &means[j][own], sums->block_count, by, sum);
        }
    memory_free(means);
}
