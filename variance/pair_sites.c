#include "variance/pair_sites.h"

#include <math.h>

#include "base/memory.h"
#include "stats/exact_moments.h"

/* A node has these means: that of all intervals, and those of the ones outside each block. */
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

/* The function moves both up to the siblings that lead to them; false: one is above the other. */
static bool climb(const struct variance_tree *tree, uint32_t *a, uint32_t *b)
{
    uint32_t depth_a = depth_of(tree, *a), depth_b = depth_of(tree, *b);
    for (; depth_a > depth_b; depth_a--)
        *a = tree->nodes[*a].parent;
    for (; depth_b > depth_a; depth_b--)
        *b = tree->nodes[*b].parent;
    for (; *a != *b; *a = tree->nodes[*a].parent, *b = tree->nodes[*b].parent)
        if (tree->nodes[*a].parent == tree->nodes[*b].parent)
            return true;
    return false;
}

/* The tree's covariances stand in the order of parent, a and b. */
static const struct tree_covariance *find_pair(const struct variance_tree *tree, uint32_t a,
                                               uint32_t b)
{
    uint32_t parent = tree->nodes[a].parent, low = 0, high = tree->covariance_count;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct tree_covariance *c = &tree->covariances[middle];
        bool before = c->parent != parent ? c->parent < parent
                      : c->a != first     ? c->a < first
                                          : c->b <= second;
        *(before ? &low : &high) = middle;
    }
    return &tree->covariances[low];
}

bool pair_sites_exclude(const struct variance_tree *tree, uint32_t a, uint32_t b)
{
    return tree->nodes[a].parent != tree->nodes[b].parent && climb(tree, &a, &b) &&
           find_pair(tree, a, b)->product == 0;
}

static void add_product(const struct means *a, const struct means *b, uint32_t blocks, double by,
                        struct jackknife_sum *sum)
{
    sum->all -= by * a->all * b->all;
    for (uint32_t i = 0; i < blocks; i++)
        sum->left_out[i] -= by * a->left_out[i] * b->left_out[i];
}

static struct means *find_all(const struct variance_tree *tree, const struct block_sums *sums,
                              const struct factor_site *sites, uint32_t count)
{
    struct means *means = memory_alloc(sizeof *means * count);
    for (uint32_t i = 0; i < count; i++)
        find_means(&means[i], tree, sums, sites[i].a);
    return means;
}

bool pair_sites_matter(const struct factor *pair)
{
    double at_callers = 0;
    for (uint32_t i = 0; i < pair->site_count; i++)
        at_callers += pair->sites[i].contribution;
    return fabs(at_callers) >= PAIR_SITES_LEAST && (pair->of[0].count > 1 || pair->of[1].count > 1);
}

void pair_sites_add_excluded(const struct factor *factor, const struct variance_tree *tree,
                             const struct block_sums *sums, double by, struct jackknife_sum *sum)
{
    uint32_t counts[2];
    struct means *means[2];
    if (!pair_sites_matter(factor))
        return;
    for (int f = 0; f < 2; f++) {
        uint32_t count = factor->of[f].count;
        counts[f] = count < PAIR_SITES_MOST ? count : PAIR_SITES_MOST;
        means[f] = find_all(tree, sums, factor->of[f].items, counts[f]);
    }
    for (uint32_t i = 0; i < counts[0]; i++)
        for (uint32_t j = 0; j < counts[1]; j++)
            if (pair_sites_exclude(tree, factor->of[0].items[i].a, factor->of[1].items[j].a))
                add_product(&means[0][i], &means[1][j], sums->block_count, by, sum);
    memory_free(means[0]);
    memory_free(means[1]);
}
