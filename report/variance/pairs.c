#include "report/variance/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "report/variance/factor_words.h"

static int compare_pairs(const void *left, const void *right)
{
    const struct tree_covariance *a = ((const struct sibling_pair *)left)->covariance;
    const struct tree_covariance *b = ((const struct sibling_pair *)right)->covariance;
    double x = fabs(a->contribution), y = fabs(b->contribution);
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

/* Pairs have one number where their two names, in any order, their parent's name and their kind are
 * the same. */
static uint32_t name_pair(struct intern *names, const struct variance_tree *tree,
                          const struct tree_covariance *pair)
{
    const struct tree_node *a = &tree->nodes[pair->a], *b = &tree->nodes[pair->b];
    bool swap = strcmp(a->name, b->name) > 0;
    struct str text = {0};
    str_printf(&text, "%s\n%s\n", (swap ? b : a)->name, (swap ? a : b)->name);
    str_printf(&text, "%s\n%d", tree->nodes[pair->parent].name, a->blamed || b->blamed);
    uint32_t number = intern_add(names, text.data);
    str_release(&text);
    return number;
}

struct sibling_pair *pairs_sorted(const struct variance_tree *tree, double least, uint32_t *count)
{
    struct sibling_pair *pairs = memory_zeroed(sizeof *pairs * (tree->covariance_count + 1));
    struct intern names = {0};
    uint32_t all = 0;
    *count = 0;
    for (uint32_t i = 0; i < tree->covariance_count; i++)
        if (fabs(tree->covariances[i].contribution) >= least)
            pairs[all++].covariance = &tree->covariances[i];
    if (all > 1)
        qsort(pairs, all, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < all; i++) {
        uint32_t row = name_pair(&names, tree, pairs[i].covariance);
        if (row == *count)
            pairs[(*count)++] = (struct sibling_pair){pairs[i].covariance, 0};
        else
            pairs[row].others++;
    }
    intern_release(&names);
    return pairs;
}

static bool is_site(const struct tree_covariance *pair, const struct factor_site *site)
{
    return (site->a == pair->a && site->b == pair->b) || (site->a == pair->b && site->b == pair->a);
}

const struct factor *pair_factor(const struct variance_report *report,
                                 const struct tree_covariance *pair)
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
