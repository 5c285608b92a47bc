#include "variance/block_sums.h"

#include "base/error.h"
#include "base/memory.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"

/* The result is the covariance of the i-th and j-th child, i < j, of a node. */
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
    site_sums_release(&sums->sites);
    leaf_sums_release(&sums->leaves);
    *sums = (struct block_sums){0};
}

uint32_t block_sums_pair(const struct block_sums *sums, const struct variance_tree *tree,
                         uint32_t a, uint32_t b)
{
    uint32_t parent = tree->nodes[a].parent, first = tree->nodes[parent].first_child;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return child_pair(sums, parent, low - first, high - first);
}

/* A filling knows where the sums of one block of a part go. */
struct filling {
    struct block_sums *sums;
    struct variance_tree *tree;
    const struct tree_shape *shape;
    const struct table_part *part;
    const struct path_block *from;
    uint32_t block; /* or NO_BLOCK: of all rows */
};
#define NO_BLOCK UINT32_MAX

static void add_moments(struct filling *filling, uint32_t node, const __int128 *from,
                        __int128 square, int by)
{
    struct block_sums *sums = filling->sums;
    struct moments *all = &filling->tree->nodes[node].moments;
    all->sum += by * from[PATH_SUM];
    all->square += square;
    all->latency += by * from[PATH_LATENCY];
    if (filling->block == NO_BLOCK || sums->node_slot[node] == NODE_NONE)
        return;
    size_t at = (size_t)sums->node_slot[node] * sums->block_count + filling->block;
    sums->sum[at] += by * from[PATH_SUM];
    sums->square[at] += square;
    sums->latency[at] += by * from[PATH_LATENCY];
}

static void add_product(struct filling *filling, uint32_t a, uint32_t b, __int128 product)
{
    struct block_sums *sums = filling->sums;
    uint32_t pair = block_sums_pair(sums, filling->tree, a, b);
    filling->tree->covariances[pair].product += product;
    if (filling->block != NO_BLOCK && sums->pair_slot[pair] != NODE_NONE)
        sums->product[(size_t)sums->pair_slot[pair] * sums->block_count + filling->block] +=
            product;
}

static uint32_t node_of(const struct filling *filling, uint32_t path)
{
    return filling->shape->node_of[filling->part->node_of[path]];
}

/* The leaf that a path's own time goes to where others are below it, or NODE_NONE. */
static uint32_t body_of(const struct filling *filling, uint32_t path)
{
    uint32_t node = node_of(filling, path);
    uint32_t own = filling->shape->own_of[filling->part->node_of[path]];
    return own == node ? NODE_NONE : own;
}

/* A path is summed with its siblings, and with what it leaves of the path above it
 * (variance/path_sums.h). */
static void add_siblings(struct filling *filling, uint32_t path, const __int128 *from)
{
    const struct path_sums *sums = &filling->part->sums;
    const struct path_slot *slot = &sums->paths[path];
    const __int128 *products = from + PATH_SIBLINGS;
    uint32_t node = node_of(filling, path), body = body_of(filling, slot->parent);
    __int128 others = 0;
    for (uint32_t rank = 0; rank < slot->rank; rank++) {
        uint32_t sibling = node_of(filling, path_sums_sibling(sums, path, rank));
        add_product(filling, node, sibling, products[rank]);
        others += products[rank];
        if (body != NODE_NONE)
            add_product(filling, body, sibling, -products[rank]);
    }
    if (body == NODE_NONE)
        return;
    __int128 square = from[PATH_SQUARE], above = from[PATH_ABOVE];
    add_product(filling, body, node, above - square - others);
    add_moments(filling, body, from, square - 2 * above + 2 * others, -1);
}

static void add_path(struct filling *filling, uint32_t path)
{
    const struct path_sums *sums = &filling->part->sums;
    const __int128 *from = path_sums_in(sums, filling->from, path);
    if (!from || path_sums_by_block(sums, path) != (filling->block != NO_BLOCK))
        return;
    uint32_t body = body_of(filling, path);
    add_moments(filling, node_of(filling, path), from, from[PATH_SQUARE], 1);
    if (path)
        add_siblings(filling, path, from);
    if (body != NODE_NONE)
        add_moments(filling, body, from, from[PATH_SQUARE], 1);
}

static void add_tail(struct filling *filling, uint32_t path)
{
    struct tree_node *nodes = filling->tree->nodes;
    __int128 tail = filling->part->sums.tails[path];
    uint32_t body = body_of(filling, path);
    nodes[node_of(filling, path)].moments.tail += tail;
    if (body != NODE_NONE)
        nodes[body].moments.tail += tail;
    body = path ? body_of(filling, filling->part->sums.paths[path].parent) : NODE_NONE;
    if (body != NODE_NONE)
        nodes[body].moments.tail -= tail;
}

static void add_part(struct block_sums *sums, struct variance_tree *tree,
                     const struct tree_shape *shape, const struct table_part *part)
{
    struct filling filling = {sums, tree, shape, part, &part->sums.rest, NO_BLOCK};
    for (uint32_t p = 0; p < part->sums.path_count; p++) {
        add_path(&filling, p);
        add_tail(&filling, p);
    }
    for (uint32_t b = 0; b < sums->block_count; b++) {
        filling.from = &part->sums.blocks[b];
        filling.block = b;
        for (uint32_t p = 0; p < part->sums.path_count; p++)
            add_path(&filling, p);
    }
}

void block_sums_fill(struct block_sums *sums, struct variance_tree *tree,
                     const struct tree_shape *shape, const struct interval_table *table,
                     const struct row_list *rows)
{
    for (uint32_t b = 0; b < sums->block_count; b++)
        sums->intervals[b] = row_list_block(rows, b + 1) - row_list_block(rows, b);
    for (uint32_t i = 0; i < table->part_count; i++)
        add_part(sums, tree, shape, &table->parts[i]);
}

/* The products are those of x and y over all intervals, or in one block. */
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

void block_sums_join(const struct block_sums *sums, const struct variance_tree *tree, uint32_t node,
                     struct joint_sums *joint)
{
    joint->sum += tree->nodes[node].moments.sum;
    joint->square += tree->nodes[node].moments.square;
    for (uint32_t b = 0; b < sums->block_count; b++) {
        joint->block_sum[b] += sums->sum[node_at(sums, node, b)];
        joint->block_square[b] += sums->square[node_at(sums, node, b)];
    }
}

void block_sums_join_products(const struct block_sums *sums, uint32_t id, struct joint_sums *joint)
{
    for (uint32_t b = 0; b < sums->block_count; b++) {
        const __int128 *column = site_sums_at(&sums->sites, id, b);
        __int128 products = column[COLUMN_PRODUCTS];
        joint->square += products;
        joint->block_square[b] += products;
    }
}

void joint_sums_variance(const struct joint_sums *joint, const struct block_sums *sums,
                         const struct variance_tree *tree, double by, struct jackknife_sum *sum)
{
    uint64_t n = tree->intervals.count;
    struct products all = {joint->sum, joint->sum, joint->square};
    sum->all += by * exact_variance(n, joint->sum, joint->square);
    for (uint32_t b = 0; b < sums->block_count; b++) {
        struct products part = {joint->block_sum[b], joint->block_sum[b], joint->block_square[b]};
        sum->left_out[b] += by * without(sums, n, &all, &part, b);
    }
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

void block_sums_covariance(const struct block_sums *sums, const struct variance_tree *tree,
                           uint32_t a, uint32_t b, double by, struct jackknife_sum *sum)
{
    uint32_t pair = block_sums_pair(sums, tree, a, b);
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
