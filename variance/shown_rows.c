#include "variance/shown_rows.h"

#include "base/memory.h"
#include "variance/outlier.h"

struct keeping {
    struct shown_rows *shown;
    const struct strata *strata;
    const struct timelines *run;
    time_ns first;
    size_t cell_count, cell_capacity;
};

static void keep_row(void *context, const struct cell_row *row)
{
    struct keeping *k = context;
    const struct interval *interval = &k->run->intervals[row->interval];
    k->shown->rows[row->number] = (struct shown_row){.begin_ns = interval->begin - k->first,
                                                     .latency_ns = interval->end - interval->begin,
                                                     .type = k->strata->types[row->number],
                                                     .stratum = k->strata->of[row->number],
                                                     .first_cell = k->cell_count,
                                                     .cell_count = row->cell_count};
    for (size_t i = 0; i < row->cell_count; i++)
        VEC_PUSH(k->shown->cells, k->cell_count, k->cell_capacity) = row->cells[i];
}

void shown_rows_init(struct shown_rows *shown, const struct variance_tree *tree,
                     const struct timelines *run, const struct function_table *functions,
                     uint32_t without_slowest, const struct histogram *bins)
{
    struct row_list rows;
    struct strata strata;
    row_list_init_without(&rows, run, without_slowest);
    strata_init(&strata, run, &rows, &tree->intervals, bins, SHOWN_ROWS_MOST);
    *shown = (struct shown_rows){.count = (uint32_t)strata.rows.count,
                                 .strata = strata.items,
                                 .stratum_count = strata.count};
    shown->rows = memory_zeroed(sizeof *shown->rows * (shown->count + 1));
    struct keeping keeping = {
        .shown = shown, .strata = &strata, .run = run, .first = run_first_record(run)};
    cell_rows_visit_some(tree, run, functions, &strata.rows, keep_row, &keeping);
    strata.items = NULL;
    strata_release(&strata);
    row_list_release(&rows);
}

void shown_rows_release(struct shown_rows *shown)
{
    memory_free(shown->rows);
    memory_free(shown->cells);
    memory_free(shown->strata);
    *shown = (struct shown_rows){0};
}
