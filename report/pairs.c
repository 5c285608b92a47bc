#include "report/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/headline.h"

static int compare_pairs(const void *left, const void *right)
{
    const struct tree_covariance *a = *(const struct tree_covariance *const *)left;
    const struct tree_covariance *b = *(const struct tree_covariance *const *)right;
    double x = fabs(a->contribution), y = fabs(b->contribution);
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

const struct tree_covariance **pairs_sorted(const struct variance_tree *tree, double least,
                                            uint32_t *count)
{
    const struct tree_covariance **pairs =
        memory_zeroed(sizeof *pairs * (tree->covariance_count + 1));
    *count = 0;
    for (uint32_t i = 0; i < tree->covariance_count; i++)
        if (fabs(tree->covariances[i].contribution) >= least)
            pairs[(*count)++] = &tree->covariances[i];
    if (*count > 1)
        qsort(pairs, *count, sizeof *pairs, compare_pairs);
    return pairs;
}

static bool is_site(const struct tree_covariance *pair, const struct factor_site *site)
{
    return (site->a == pair->a && site->b == pair->b) || (site->a == pair->b && site->b == pair->a);
}

const struct factor *pair_factor(const struct report *report, const struct tree_covariance *pair)
{
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor->kind != FACTOR_COVARIANCE)
            continue;
        for (uint32_t k = 0; k < factor->site_count; k++)
            if (is_site(pair, &factor->sites[k]))
                return factor;
    }
    return NULL;
}
