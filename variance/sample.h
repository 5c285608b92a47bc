/* sample.h - one side of a comparison: its intervals in order of time, and what chosen nodes of its
 * tree took of each.
 *
 *     struct sample sample;
 *     sample_init(&sample, &side);
 *     uint32_t lock = sample_column(&sample, node);       before it is filled
 *     sample_fill(&sample);
 *     sample.latency[row], sample.columns[lock][row]
 *     sample_release(&sample);
 *
 * Of several runs one stands after the other: those of run r begin at row run_first[r]. A side
 * borrows what was analysed; a sample owns its arrays and borrows the side.
 */
#ifndef VARIANCE_SAMPLE_H
#define VARIANCE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "stats/blocked.h"
#include "variance/factor.h"
#include "variance/node_blocks.h"
#include "variance/variance_tree.h"

struct timelines;

struct sample_side {
    const struct timelines *run; /* of all runs, joined */
    const struct function_table *functions;
    const struct variance_tree *tree;
    const struct factor_list *factors;
    const uint32_t *run_of_process; /* ascending with the rows; NULL: one run */
    uint32_t run_count;
    double waited; /* of the time in which its threads had or wanted a processor, the part in which
                      they waited for one; below 0: it is not known */
};

struct sample {
    const struct sample_side *side;
    size_t count;
    int64_t *latency;
    size_t *run_first;        /* run_count + 1 */
    uint32_t *column_of_node; /* or NODE_NONE */
    int64_t **columns;        /* inclusive ns, by row */
    size_t column_count, column_capacity;
    struct node_blocks nodes; /* of all nodes, if sample_watch_nodes was called */
    bool nodes_of_runs;
};

void sample_init(struct sample *sample, const struct sample_side *side);
void sample_release(struct sample *sample);
uint32_t sample_column(struct sample *sample, uint32_t node);
/* What every node takes in each of the blocks, which are as in sample_blocks(), is summed up. */
void sample_watch_nodes(struct sample *sample, bool of_runs, uint32_t blocks);
void sample_fill(struct sample *sample);

/* The blocks are `count` ones of whole runs, or of rows. Of runs there must be as many. */
struct blocks sample_blocks(const struct sample *sample, bool of_runs, uint32_t count);

#endif
