#include "variance/node_blocks.h"

#include "base/memory.h"
#include "stats/exact_moments.h"

void node_blocks_init(struct node_blocks *blocks, const struct variance_tree *tree,
                      uint32_t block_count)
{
    size_t cells = (size_t)tree->node_count * block_count;
    *blocks = (struct node_blocks){.block_count = block_count, .node_count = tree->node_count};
    blocks->time = memory_zeroed(sizeof *blocks->time * cells);
    blocks->product = memory_zeroed(sizeof *blocks->product * cells);
}

void node_blocks_release(struct node_blocks *blocks)
{
    memory_free(blocks->time);
    memory_free(blocks->product);
    *blocks = (struct node_blocks){0};
}

void node_blocks_add(struct node_blocks *blocks, uint32_t block, const struct cell_row *row,
                     int64_t latency_ns)
{
    blocks->rows[block]++;
    blocks->latency[block] += latency_ns;
    for (size_t c = 0; c < row->cell_count; c++) {
        size_t at = (size_t)row->cells[c].node * blocks->block_count + block;
        blocks->time[at] += row->cells[c].own_ns;
        blocks->product[at] += (__int128)row->cells[c].own_ns * latency_ns;
    }
}

/* A parent stands before its children. */
void node_blocks_finish(struct node_blocks *blocks, const struct variance_tree *tree)
{
    for (uint32_t n = tree->node_count; n-- > 1;)
        for (uint32_t b = 0; b < blocks->block_count; b++) {
            size_t from = (size_t)n * blocks->block_count + b;
            size_t to = (size_t)tree->nodes[n].parent * blocks->block_count + b;
            blocks->time[to] += blocks->time[from];
            blocks->product[to] += blocks->product[from];
        }
}

/* ---- what the sums say ---- */

struct node_sums {
    uint64_t rows;
    __int128 latency, time, product;
};

static struct node_sums all_sums(const struct node_blocks *blocks, uint32_t node)
{
    struct node_sums all = {0};
    for (uint32_t b = 0; b < blocks->block_count; b++) {
        all.rows += blocks->rows[b];
        all.latency += blocks->latency[b];
        all.time += blocks->time[(size_t)node * blocks->block_count + b];
        all.product += blocks->product[(size_t)node * blocks->block_count + b];
    }
    return all;
}

static struct node_sums sums_without(const struct node_blocks *blocks, uint32_t node, uint32_t b,
                                     const struct node_sums *all)
{
    return (struct node_sums){
        .rows = all->rows - blocks->rows[b],
        .latency = all->latency - blocks->latency[b],
        .time = all->time - blocks->time[(size_t)node * blocks->block_count + b],
        .product = all->product - blocks->product[(size_t)node * blocks->block_count + b]};
}

static double covariance(const struct node_sums *sums)
{
    return exact_covariance(sums->rows, sums->time, sums->latency, sums->product);
}

void node_blocks_mean(const struct node_blocks *blocks, uint32_t node, struct jackknife_sum *sum)
{
    struct node_sums all = all_sums(blocks, node);
    sum->all += exact_mean(all.rows, all.time);
    for (uint32_t b = 0; b < blocks->block_count; b++) {
        struct node_sums rest = sums_without(blocks, node, b, &all);
        sum->left_out[b] += exact_mean(rest.rows, rest.time);
    }
}

void node_blocks_covariance(const struct node_blocks *blocks, uint32_t node,
                            struct jackknife_sum *sum)
{
    struct node_sums all = all_sums(blocks, node);
    sum->all += covariance(&all);
    for (uint32_t b = 0; b < blocks->block_count; b++) {
        struct node_sums rest = sums_without(blocks, node, b, &all);
        sum->left_out[b] += covariance(&rest);
    }
}
