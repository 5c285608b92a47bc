/* The rows that a page has are chosen by what chooses them in the product, from intervals that
 * follow each other as the cells are. */
#include "sample.h"

#include "base/memory.h"

enum { APART_NS = 300000 };

static void make_intervals(const struct sample *sample, struct interval *intervals)
{
    const struct interval_summary *summary = &sample->tree.intervals;
    for (uint64_t i = 0; i < summary->count; i++) {
        time_ns begin = (time_ns)i * APART_NS;
        intervals[i] = (struct interval){
            .begin = begin, .end = begin + sample->cells[0][i], .complete = true, .type = ""};
        if (summary->type_count)
            intervals[i].type = summary->types[sample_is_checkout(sample, i)].name;
    }
}

static void add_cells(struct sample *sample, struct shown_row *row, uint32_t interval,
                      size_t *capacity)
{
    const struct variance_tree *tree = &sample->tree;
    size_t count = row->first_cell;
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].first_child == NODE_NONE && sample->cells[n][interval])
            VEC_PUSH(sample->rows.cells, count, *capacity) =
                (struct cell){n, sample->cells[n][interval]};
    row->cell_count = count - row->first_cell;
}

void sample_build_rows(struct sample *sample)
{
    const struct interval_summary *summary = &sample->tree.intervals;
    struct interval *intervals = memory_zeroed(sizeof *intervals * (summary->count + 1));
    struct timelines run = {.intervals = intervals, .interval_count = (uint32_t)summary->count};
    struct row_list all;
    struct strata strata;
    size_t capacity = 0, cells = 0;
    make_intervals(sample, intervals);
    row_list_init(&all, &run);
    strata_init(&strata, &run, &all, summary, &summary->histogram, SHOWN_ROWS_MOST);
    struct shown_rows *rows = &sample->rows;
    *rows = (struct shown_rows){.count = (uint32_t)strata.rows.count,
                                .strata = strata.items,
                                .stratum_count = strata.count};
    rows->rows = memory_zeroed(sizeof *rows->rows * (rows->count + 1));
    for (uint32_t r = 0; r < rows->count; r++) {
        const struct interval *interval = &intervals[strata.rows.intervals[r]];
        rows->rows[r] = (struct shown_row){.begin_ns = interval->begin,
                                           .latency_ns = interval->end - interval->begin,
                                           .type = strata.types[r],
                                           .stratum = strata.of[r],
                                           .first_cell = cells};
        add_cells(sample, &rows->rows[r], strata.rows.intervals[r], &capacity);
        cells += rows->rows[r].cell_count;
    }
    strata.items = NULL;
    strata_release(&strata);
    row_list_release(&all);
    memory_free(intervals);
    sample->variance.rows = rows;
}
