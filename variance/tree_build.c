#include "variance/tree_build.h"

#include "base/parallel.h"
#include "stats/exact_moments.h"
#include "stats/wide.h"
#include "variance/critical_path.h"
#include "interval/segment_index.h"
#include "variance/tree_shape.h"

static double ratio(double part, double whole)
{
    return whole ? part / whole : 0;
}

static void finish_nodes(struct variance_tree *tree)
{
    uint64_t n = tree->intervals.count;
    const struct moments *root = &tree->nodes[0].moments;
    uint64_t tail = tree->intervals.tail_count;
    struct wide whole = wide_spread(n, root->sum, root->sum, root->square);
    struct wide slower = wide_spread(n, root->sum, tail, root->tail);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct tree_node *node = &tree->nodes[i];
        const struct moments *m = &node->moments;
        node->mean_ns = exact_mean(n, m->sum);
        node->variance_ns2 = exact_variance(n, m->sum, m->square);
        node->contribution = wide_ratio(wide_spread(n, m->sum, m->sum, m->square), whole);
        node->share = wide_ratio(wide_spread(n, m->sum, root->sum, m->latency), whole);
        node->tail_share = wide_ratio(wide_spread(n, m->sum, tail, m->tail), slower);
    }
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        struct tree_covariance *pair = &tree->covariances[i];
        __int128 sum_a = tree->nodes[pair->a].moments.sum, sum_b = tree->nodes[pair->b].moments.sum;
        pair->covariance_ns2 = exact_covariance(n, sum_a, sum_b, pair->product);
        pair->contribution = 2 * wide_ratio(wide_spread(n, sum_a, sum_b, pair->product), whole);
    }
}

static void finish_coverage(struct variance_tree *tree)
{
    __int128 unexplained = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].kind == NODE_UNEXPLAINED)
            unexplained += tree->nodes[i].moments.sum;
    tree->coverage = 1 - ratio((double)unexplained, (double)tree->nodes[0].moments.sum);
}

/* A tree is prepared with these before the first row. */
struct preparing {
    struct variance_tree *tree;
    const struct timelines *run;
    const struct row_list *rows;
    struct segment_index segments;
};

/* Two parts, which have nothing to do with each other. */
static void prepare_part(void *context, uint32_t part)
{
    struct preparing *p = context;
    if (part == 0)
        interval_summary_fill(&p->tree->intervals, &p->tree->arena, p->rows, p->run);
    else
        segment_index_init(&p->segments, p->run);
}

static void fill_table(struct interval_table *table, struct variance_tree *tree,
                       const struct timelines *run, const struct row_list *rows,
                       struct callee_table *callees)
{
    struct preparing preparing = {.tree = tree, .run = run, .rows = rows};
    parallel_each(2, prepare_part, &preparing);
    interval_table_init(table, NULL);
    critical_path_fill(table, run, &preparing.segments, rows, tree->intervals.p99_ns, callees);
    segment_index_release(&preparing.segments);
}

void variance_tree_build(struct variance_tree *tree, struct block_sums *sums,
                         const struct timelines *run, const struct row_list *rows,
                         struct callee_table *callees)
{
    struct tree_shape shape;
    struct interval_table table;
    *tree = (struct variance_tree){0};
    fill_table(&table, tree, run, rows, callees);
    tree_shape_build(&shape, tree, &table, callees);
    block_sums_init(sums, tree, rows->count);
    block_sums_fill(sums, tree, &shape, &table, rows);
    site_sums_init(&sums->sites, &table, callees);
    leaf_sums_init(&sums->leaves, tree, &shape, &table);
    finish_nodes(tree);
    finish_coverage(tree);
    tree_shape_release(&shape);
    interval_table_release(&table);
}
