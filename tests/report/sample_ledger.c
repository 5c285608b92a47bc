/* The ledger of a sample is built by what builds it in the product: its nodes become functions, and
 * the sums by block are those of the cells. */
#include "sample.h"

#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "variance/block_sums.h"

static bool is_function(const struct tree_node *node)
{
    return node->kind == NODE_FUNCTION || node->kind == NODE_WOKEN_BY;
}

/* A function stands where the first node of its name does. */
static void make_functions(struct sample *sample)
{
    struct function_table *table = &sample->functions;
    struct intern names = {0};
    uint32_t count = sample->tree.node_count;
    table->functions = ARENA_ARRAY(&table->arena, struct function_info, count);
    for (uint32_t n = 0; n < count; n++) {
        struct tree_node *node = &sample->tree.nodes[n];
        node->within = FUNCTION_NONE;
        node->plain = node->name;
        if (!is_function(node))
            continue;
        node->function = intern_add(&names, node->name);
        node->body = true;
        if (node->function == table->function_count)
            table->functions[table->function_count++] = (struct function_info){
                .name = node->name, .file = node->file, .line = node->line, .body = true};
    }
    intern_release(&names);
}

static void mark_waits(struct variance_tree *tree)
{
    for (uint32_t n = 1; n < tree->node_count; n++) {
        struct tree_node *node = &tree->nodes[n], *parent = &tree->nodes[node->parent];
        if (node->kind == NODE_WOKEN_BY && parent->kind == NODE_CALL)
            parent->blocked = true;
        if (node->kind == NODE_WAIT && parent->kind == NODE_CALL)
            node->wait = WAIT_WAKE_UP;
    }
}

static void add_cells(const struct sample *sample, struct block_sums *sums, uint32_t node)
{
    uint64_t count = sample->tree.intervals.count;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t block = jackknife_block(i, count, sums->block_count);
        struct path_line *line = &sums->leaves.lines[(size_t)node * JACKKNIFE_BLOCKS + block];
        line->sum += sample->cells[node][i];
        line->latency += (__int128)sample->cells[node][i] * sample->cells[0][i];
    }
}

void sample_build_ledger(struct sample *sample)
{
    struct variance_tree *tree = &sample->tree;
    uint32_t blocks = jackknife_block_count(tree->intervals.count), root_slot = 0;
    __int128 sum[JACKKNIFE_BLOCKS] = {0}, latency[JACKKNIFE_BLOCKS] = {0};
    uint64_t intervals[JACKKNIFE_BLOCKS] = {0};
    struct block_sums sums = {.block_count = blocks,
                              .node_slot = &root_slot,
                              .intervals = intervals,
                              .sum = sum,
                              .square = latency,
                              .latency = latency};
    make_functions(sample);
    mark_waits(tree);
    sums.leaves.lines =
        memory_zeroed(sizeof *sums.leaves.lines * tree->node_count * JACKKNIFE_BLOCKS);
    for (uint64_t i = 0; i < tree->intervals.count; i++)
        intervals[jackknife_block(i, tree->intervals.count, blocks)]++;
    for (uint32_t n = 0; n < tree->node_count; n++)
        add_cells(sample, &sums, n);
    for (uint32_t b = 0; b < blocks; b++) {
        sum[b] = sums.leaves.lines[b].sum;
        latency[b] = sums.leaves.lines[b].latency;
    }
    root_ledger_build(&sample->roots, tree, &sums, &sample->functions);
    leaf_sums_release(&sums.leaves);
}
