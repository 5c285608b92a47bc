#include "variance/factor_variance.h"

#include "stats/wide.h"
#include "variance/pair_sites.h"

static void join_sites(const struct factor *factor, const struct variance_tree *tree,
                       const struct block_sums *sums, struct joint_sums *joint)
{
    *joint = (struct joint_sums){0};
    for (uint32_t i = 0; i < factor->site_count; i++)
        block_sums_join(sums, tree, factor->sites[i].a, joint);
    if (factor->column != INTERN_NONE)
        block_sums_join_products(sums, factor->column, joint);
}

void factor_add_variance(const struct factor *factor, const struct variance_tree *tree,
                         const struct block_sums *sums, double by, struct jackknife_sum *sum)
{
    if (factor->kind == FACTOR_VARIANCE && factor->site_count == 1) {
        block_sums_variance(sums, tree, factor->sites[0].a, by, sum);
        return;
    }
    if (factor->kind == FACTOR_VARIANCE) {
        struct joint_sums joint;
        join_sites(factor, tree, sums, &joint);
        joint_sums_variance(&joint, sums, tree, by, sum);
        return;
    }
    for (uint32_t i = 0; i < factor->site_count; i++)
        block_sums_covariance(sums, tree, factor->sites[i].a, factor->sites[i].b, 2 * by, sum);
    pair_sites_add_excluded(factor, tree, sums, 2 * by, sum);
}

static double variance_contribution(const struct factor *factor, const struct variance_tree *tree,
                                    const struct block_sums *sums)
{
    struct joint_sums joint;
    uint64_t n = tree->intervals.count;
    const struct moments *root = &tree->nodes[0].moments;
    if (factor->site_count == 1)
        return factor->sites[0].contribution;
    join_sites(factor, tree, sums, &joint);
    return wide_ratio(wide_spread(n, joint.sum, joint.sum, joint.square),
                      wide_spread(n, root->sum, root->sum, root->square));
}

double factor_contribution(const struct factor *factor, const struct variance_tree *tree,
                           const struct block_sums *sums, const struct jackknife_sum *whole)
{
    struct jackknife_sum apart = {0};
    double sum = 0;
    if (factor->kind == FACTOR_VARIANCE)
        return variance_contribution(factor, tree, sums);
    for (uint32_t i = 0; i < factor->site_count; i++)
        sum += factor->sites[i].contribution;
    pair_sites_add_excluded(factor, tree, sums, 2, &apart);
    return apart.all != 0 ? sum + apart.all / whole->all : sum;
}
