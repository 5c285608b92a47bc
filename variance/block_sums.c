#include "variance/block_sums.h"

#include <pthread.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"
#include "variance/row_sums.h"
#include "variance/table_reader.h"

/* The covariance of the i-th and j-th child, i < j, of a node. */
static uint32_t child_pair(const struct block_sums *sums, uint32_t node, uint32_t i, uint32_t j)
{
    uint64_t before = (uint64_t)i * (2 * (uint64_t)sums->children[node] - i - 1) / 2;
    return sums->first_pair[node] + (uint32_t)before + (j - i - 1);
}

static void count_pairs(struct block_sums *sums, struct variance_tree *tree)
{
    uint64_t count = 0;
    for (uint32_t n = 1; n < tree->node_count; n++)
        sums->children[tree->nodes[n].parent]++;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        uint64_t children = sums->children[n];
        sums->first_pair[n] = (uint32_t)count;
        count += children ? children * (children - 1) / 2 : 0;
    }
    if (count >= UINT32_MAX)
        BUG("more pairs of siblings than can be numbered");
    tree->covariance_count = (uint32_t)count;
}

static void make_pairs(struct variance_tree *tree)
{
    struct tree_covariance *pair = tree->covariances;
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (uint32_t a = tree->nodes[n].first_child; a != NODE_NONE;
             a = tree->nodes[a].next_sibling)
            for (uint32_t b = tree->nodes[a].next_sibling; b != NODE_NONE;
                 b = tree->nodes[b].next_sibling)
                *pair++ = (struct tree_covariance){.parent = n, .a = a, .b = b};
}

static void make_slots(struct block_sums *sums, const struct variance_tree *tree)
{
    size_t nodes = 0, pairs = 0;
    sums->node_slot = memory_alloc(sizeof *sums->node_slot * tree->node_count);
    for (uint32_t n = 0; n < tree->node_count; n++)
        sums->node_slot[n] = tree->nodes[n].blamed ? NODE_NONE : (uint32_t)nodes++;
    sums->pair_slot = memory_alloc(sizeof *sums->pair_slot * tree->covariance_count);
    for (uint32_t p = 0; p < tree->covariance_count; p++) {
        const struct tree_covariance *pair = &tree->covariances[p];
        bool blamed = tree->nodes[pair->a].blamed || tree->nodes[pair->b].blamed;
        sums->pair_slot[p] = blamed ? NODE_NONE : (uint32_t)pairs++;
    }
    sums->sum = memory_zeroed(sizeof *sums->sum * nodes * sums->block_count);
    sums->square = memory_zeroed(sizeof *sums->square * nodes * sums->block_count);
    sums->latency = memory_zeroed(sizeof *sums->latency * nodes * sums->block_count);
    sums->product = memory_zeroed(sizeof *sums->product * pairs * sums->block_count);
}

void block_sums_init(struct block_sums *sums, struct variance_tree *tree, uint64_t intervals)
{
    *sums = (struct block_sums){.block_count = jackknife_block_count(intervals)};
    sums->intervals = memory_zeroed(sizeof *sums->intervals * sums->block_count);
    sums->first_pair = memory_alloc(sizeof *sums->first_pair * tree->node_count);
    sums->children = memory_zeroed(sizeof *sums->children * tree->node_count);
    count_pairs(sums, tree);
    tree->covariances = ARENA_ARRAY(&tree->arena, struct tree_covariance, tree->covariance_count);
    make_pairs(tree);
    make_slots(sums, tree);
}

void block_sums_release(struct block_sums *sums)
{
    memory_free(sums->intervals);
    memory_free(sums->node_slot);
    memory_free(sums->sum);
    memory_free(sums->square);
    memory_free(sums->latency);
    memory_free(sums->pair_slot);
    memory_free(sums->product);
    memory_free(sums->first_pair);
    memory_free(sums->children);
    *sums = (struct block_sums){0};
}

/* What the jobs that add rows have in common. */
struct filling {
    struct block_sums *sums;
    struct variance_tree *tree;
    const struct tree_shape *shape;
    const struct interval_table *table;
    const struct timelines *run;
    struct sibling *places;
    pthread_mutex_t lock; /* of the sums and the tree's moments */
};

static void flush_nodes(struct filling *filling, const struct row_sums *rows, uint32_t block)
{
    struct block_sums *sums = filling->sums;
    for (uint32_t n = 0; n < filling->tree->node_count; n++) {
        struct moments *all = &filling->tree->nodes[n].moments, *part = &rows->moments[n];
        all->sum += part->sum;
        all->square += part->square;
        all->latency += part->latency;
        all->tail += part->tail;
        if (sums->node_slot[n] == NODE_NONE)
            continue;
        size_t at = (size_t)sums->node_slot[n] * sums->block_count + block;
        sums->sum[at] += part->sum;
        sums->square[at] += part->square;
        sums->latency[at] += part->latency;
    }
}

/* These rows of the block were all that the job has. */
static void flush_block(struct filling *filling, struct row_sums *rows, uint32_t block)
{
    struct block_sums *sums = filling->sums;
    row_sums_settle(rows);
    pthread_mutex_lock(&filling->lock);
    sums->intervals[block] += rows->row_count;
    flush_nodes(filling, rows, block);
    for (uint32_t p = 0; p < filling->tree->covariance_count; p++) {
        filling->tree->covariances[p].product += rows->products[p];
        if (sums->pair_slot[p] != NODE_NONE)
            sums->product[(size_t)sums->pair_slot[p] * sums->block_count + block] +=
                rows->products[p];
    }
    pthread_mutex_unlock(&filling->lock);
    row_sums_clear(rows);
}

static struct sibling *find_places(const struct block_sums *sums, const struct variance_tree *tree)
{
    struct sibling *places = memory_alloc(sizeof *places * tree->node_count);
    places[0] = (struct sibling){0};
    for (uint32_t n = 0; n < tree->node_count; n++) {
        uint32_t first = tree->nodes[n].first_child, count = sums->children[n];
        uint32_t pair = sums->first_pair[n];
        for (uint32_t i = 0; i < count; pair += count - ++i)
            places[first + i] = (struct sibling){n, pair};
    }
    return places;
}

static void fill_part(void *context, uint32_t part)
{
    struct filling *filling = context;
    const struct variance_tree *tree = filling->tree;
    const struct interval_table *table = filling->table;
    struct row_sums rows;
    struct table_reader reader;
    uint32_t block = 0;
    row_sums_init(&rows, filling->places, tree->node_count, tree->covariance_count);
    table_reader_start(&reader, table, part);
    while (table_reader_next(&reader)) {
        const struct interval *interval = &filling->run->intervals[reader.row->interval];
        time_ns latency = interval->end - interval->begin;
        uint32_t of_row = jackknife_block((size_t)(reader.row - table->rows), table->row_count,
                                          filling->sums->block_count);
        if (of_row != block)
            flush_block(filling, &rows, block);
        block = of_row;
        row_sums_add(&rows, reader.cells, reader.row->cell_count, filling->shape->own_of, latency,
                     (double)latency >= tree->intervals.p99_ns);
    }
    flush_block(filling, &rows, block);
    table_reader_end(&reader);
    row_sums_release(&rows);
}

void block_sums_fill(struct block_sums *sums, struct variance_tree *tree,
                     const struct tree_shape *shape, const struct interval_table *table,
                     const struct timelines *run)
{
    struct filling filling = {.sums = sums,
                              .tree = tree,
                              .shape = shape,
                              .table = table,
                              .run = run,
                              .places = find_places(sums, tree)};
    pthread_mutex_init(&filling.lock, NULL);
    parallel_each(table->joined_count, fill_part, &filling);
    pthread_mutex_destroy(&filling.lock);
    memory_free(filling.places);
}

/* Of x and y over all intervals, and in one block. */
struct products {
    __int128 x, y, xy;
};

static size_t node_at(const struct block_sums *sums, uint32_t node, uint32_t block)
{
    return (size_t)sums->node_slot[node] * sums->block_count + block;
}

static double without(const struct block_sums *sums, uint64_t n, const struct products *all,
                      const struct products *part, uint32_t block)
{
    return exact_covariance(n - sums->intervals[block], all->x - part->x, all->y - part->y,
                            all->xy - part->xy);
}

void block_sums_variance(const struct block_sums *sums, const struct variance_tree *tree,
                         uint32_t node, double by, struct jackknife_sum *sum)
{
    const struct moments *m = &tree->nodes[node].moments;
    struct products all = {m->sum, m->sum, m->square};
    sum->all += by * tree->nodes[node].variance_ns2;
    for (uint32_t b = 0; b < sums->block_count; b++) {
        size_t at = node_at(sums, node, b);
        struct products part = {sums->sum[at], sums->sum[at], sums->square[at]};
        sum->left_out[b] += by * without(sums, tree->intervals.count, &all, &part, b);
    }
}

void block_sums_with_latency(const struct block_sums *sums, const struct variance_tree *tree,
                             uint32_t node, double by, struct jackknife_sum *sum)
{
    const struct moments *m = &tree->nodes[node].moments, *root = &tree->nodes[0].moments;
    struct products all = {m->sum, root->sum, m->latency};
    uint64_t n = tree->intervals.count;
    sum->all += by * exact_covariance(n, all.x, all.y, all.xy);
    for (uint32_t b = 0; b < sums->block_count; b++) {
        size_t at = node_at(sums, node, b);
        struct products part = {sums->sum[at], sums->sum[node_at(sums, 0, b)], sums->latency[at]};
        sum->left_out[b] += by * without(sums, n, &all, &part, b);
    }
}

static uint32_t pair_of(const struct block_sums *sums, const struct variance_tree *tree, uint32_t a,
                        uint32_t b)
{
    uint32_t parent = tree->nodes[a].parent, first = tree->nodes[parent].first_child;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return child_pair(sums, parent, low - first, high - first);
}

void block_sums_covariance(const struct block_sums *sums, const struct variance_tree *tree,
                           uint32_t a, uint32_t b, double by, struct jackknife_sum *sum)
{
    uint32_t pair = pair_of(sums, tree, a, b);
    struct products all = {tree->nodes[a].moments.sum, tree->nodes[b].moments.sum,
                           tree->covariances[pair].product};
    sum->all += by * tree->covariances[pair].covariance_ns2;
    for (uint32_t block = 0; block < sums->block_count; block++) {
        size_t at = (size_t)sums->pair_slot[pair] * sums->block_count + block;
        struct products part = {sums->sum[node_at(sums, a, block)],
                                sums->sum[node_at(sums, b, block)], sums->product[at]};
        sum->left_out[block] += by * without(sums, tree->intervals.count, &all, &part, block);
    }
}
