/* factor.h - which functions, or pairs of functions, the variance comes from.
 *
 * A factor is the variance of a function or the covariance of a pair, over all call sites
 * (VProfiler, EuroSys'17, section 3.2.2, Algorithm 1): the variance of what the sites take together
 * in an interval, covariances of the sites included (docs/decisions/sites-are-one-sum.md). Its
 * score is specificity * contribution
 * (equation 4), its specificity (height(call graph) - height(factor))^2 (equation 3); a covariance
 * counts 2*Cov and takes the larger height. Not factors: the root, and nodes of woken-by subtrees,
 * which tell the same time a second time: they explain the blocking call above them.
 *
 * Functions are named as their nodes are: two nodes belong to one factor when kind-class and name
 * are the same (a function and a call of it are one; a body is a factor of its own). The sites of a
 * body are all own times of the function: bodies, and where it has no children, the whole of it.
 */
#ifndef VARIANCE_FACTOR_H
#define VARIANCE_FACTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "variance/variance_tree.h"

enum factor_kind { FACTOR_VARIANCE, FACTOR_COVARIANCE };

/* A site of a factor is one node of the tree, or a pair of them; `b` is NODE_NONE for a
 * variance. */
struct factor_site {
    uint32_t a;
    uint32_t b;
    double contribution;
};

struct factor_sites {
    const struct factor_site *items;
    uint32_t count;
};

struct factor {
    uint32_t rank; /* 1, 2, ... by score; equal scores by contribution, then by name */
    enum factor_kind kind;
    const char *names[2]; /* names[1] is NULL for a variance */
    double contribution;  /* (co)variance / Var(L) of all sites together */
    double ci95[2];       /* of the contribution, block jackknife over time-ordered blocks */
    double share;         /* for a pair: of both */
    double share_ci95[2];
    double tail_share;
    double specificity;
    double score;
    uint32_t height;
    struct factor_site *sites; /* bodies, then leaves; the largest contribution first */
    uint32_t site_count;
    uint32_t leaf_count;       /* of a body: the last sites, leaves, which have own time only */
    struct factor_sites of[2]; /* of a pair: all sites of the two functions */
    uint32_t column; /* in block_sums.sites: what its sites take together, or INTERN_NONE */
    uint32_t rival;  /* see rival.h; 0: none */
    bool separated;
};

struct factor_list {
    struct arena arena;
    struct factor *factors; /* by rank; all of them, the caller cuts at k and d */
    uint32_t count;
    bool steady; /* the variance of the latency is told from 0: else all intervals are rough */
};

/* A factor is named at a site that is a node of its own name: no leaf among bodies. */
static inline bool factor_is_named_at(const struct factor *factor, uint32_t site)
{
    return site + factor->leaf_count < factor->site_count;
}

void factor_list_release(struct factor_list *list);

#endif
