#include "variance/rival.h"

#include "base/memory.h"
#include "stats/jackknife.h"
#include "variance/factor_variance.h"

/* The nodes that tell of a factor's time are marked: those above its sites, its sites, and those
 * below them. */
static void mark_related(const struct factor *factor, const struct variance_tree *tree, bool *above,
                         bool *related)
{
    for (uint32_t n = 0; n < tree->node_count; n++)
        above[n] = related[n] = false;
    for (uint32_t i = 0; i < factor->site_count; i++) {
        const struct factor_site *site = &factor->sites[i];
        related[site->a] = true;
        if (site->b != NODE_NONE)
            related[site->b] = true;
    }
    for (uint32_t n = tree->node_count; n-- > 1;) /* a parent stands before its children */
        if (related[n] || above[n])
            above[tree->nodes[n].parent] = true;
    for (uint32_t n = 1; n < tree->node_count; n++)
        related[n] = related[n] || related[tree->nodes[n].parent];
    for (uint32_t n = 0; n < tree->node_count; n++)
        related[n] = related[n] || above[n];
}

static bool is_related(const struct factor *factor, const bool *related)
{
    for (uint32_t i = 0; i < factor->site_count; i++)
        if (related[factor->sites[i].a] ||
            (factor->sites[i].b != NODE_NONE && related[factor->sites[i].b]))
            return true;
    return false;
}

static const struct factor *next_unrelated(const struct factor_list *list, uint32_t index,
                                           const bool *related)
{
    for (uint32_t i = index + 1; i < list->count && list->factors[i].contribution > 0; i++)
        if (!is_related(&list->factors[i], related))
            return &list->factors[i];
    return NULL;
}

void rivals_find(struct factor_list *list, const struct variance_tree *tree,
                 const struct block_sums *sums)
{
    bool *above = memory_alloc(sizeof *above * tree->node_count);
    bool *related = memory_alloc(sizeof *related * tree->node_count);
    for (uint32_t i = 0; i < list->count && i < RIVAL_RANKS; i++) {
        struct factor *factor = &list->factors[i];
        if (factor->contribution <= 0)
            break;
        struct jackknife_sum ahead = {0};
        mark_related(factor, tree, above, related);
        const struct factor *rival = next_unrelated(list, i, related);
        factor_add_variance(factor, tree, sums, rival ? factor->specificity : 1, &ahead);
        if (rival)
            factor_add_variance(rival, tree, sums, -rival->specificity, &ahead);
        factor->rival = rival ? rival->rank : 0;
        factor->separated = jackknife_differs(&ahead, sums->block_count);
    }
    memory_free(above);
    memory_free(related);
}
