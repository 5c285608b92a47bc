#include "variance/sample.h"

#include "base/memory.h"
#include "trace/timeline.h"
#include "variance/cell_rows.h"

void sample_init(struct sample *sample, const struct sample_side *side)
{
    uint32_t nodes = side->tree->node_count;
    *sample = (struct sample){.side = side, .count = side->tree->intervals.count};
    sample->latency = memory_alloc(sizeof *sample->latency * sample->count);
    sample->run_first = memory_zeroed(sizeof *sample->run_first * ((size_t)side->run_count + 1));
    sample->column_of_node = memory_alloc(sizeof *sample->column_of_node * nodes);
    for (uint32_t n = 0; n < nodes; n++)
        sample->column_of_node[n] = NODE_NONE;
}

void sample_release(struct sample *sample)
{
    for (size_t c = 0; c < sample->column_count; c++)
        memory_free(sample->columns[c]);
    memory_free(sample->columns);
    memory_free(sample->column_of_node);
    memory_free(sample->run_first);
    memory_free(sample->latency);
    node_blocks_release(&sample->nodes);
    *sample = (struct sample){0};
}

uint32_t sample_column(struct sample *sample, uint32_t node)
{
    uint32_t *column = &sample->column_of_node[node];
    if (*column == NODE_NONE) {
        *column = (uint32_t)sample->column_count;
        VEC_PUSH(sample->columns, sample->column_count, sample->column_capacity) =
            memory_zeroed(sizeof(int64_t) * sample->count);
    }
    return *column;
}

void sample_watch_nodes(struct sample *sample, bool of_runs, uint32_t blocks)
{
    node_blocks_init(&sample->nodes, sample->side->tree, blocks);
    sample->nodes_of_runs = of_runs;
}

static void add_to_block(struct sample *sample, const struct cell_row *row, uint32_t run)
{
    uint32_t blocks = sample->nodes.block_count;
    uint32_t block = sample->nodes_of_runs ? jackknife_block(run, sample->side->run_count, blocks)
                                           : jackknife_block(row->number, sample->count, blocks);
    node_blocks_add(&sample->nodes, block, row, sample->latency[row->number]);
}

/* A row is added to the columns of its leaf and of what is above it. */
static void take_row(void *context, const struct cell_row *row)
{
    struct sample *sample = context;
    const struct sample_side *side = sample->side;
    const struct interval *interval = &side->run->intervals[row->interval];
    sample->latency[row->number] = interval->end - interval->begin;
    uint32_t run = side->run_of_process ? side->run_of_process[interval->process] : 0;
    sample->run_first[run + 1]++;
    if (sample->nodes.block_count)
        add_to_block(sample, row, run);
    for (size_t c = 0; c < row->cell_count; c++)
        for (uint32_t n = row->cells[c].node; n != NODE_NONE; n = side->tree->nodes[n].parent)
            if (sample->column_of_node[n] != NODE_NONE)
                sample->columns[sample->column_of_node[n]][row->number] += row->cells[c].own_ns;
}

void sample_fill(struct sample *sample)
{
    const struct sample_side *side = sample->side;
    cell_rows_visit(side->tree, side->run, side->functions, take_row, sample);
    for (uint32_t r = 0; r < side->run_count; r++)
        sample->run_first[r + 1] += sample->run_first[r];
    if (sample->nodes.block_count)
        node_blocks_finish(&sample->nodes, side->tree);
}

struct blocks sample_blocks(const struct sample *sample, bool of_runs, uint32_t count)
{
    struct blocks blocks = blocks_even(of_runs ? sample->side->run_count : sample->count, count);
    for (uint32_t b = 0; b <= count && of_runs; b++)
        blocks.first[b] = sample->run_first[blocks.first[b]];
    return blocks;
}
