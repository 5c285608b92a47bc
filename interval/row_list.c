#include "interval/row_list.h"

#include "base/memory.h"
#include "stats/jackknife.h"

void row_list_init(struct row_list *rows, const struct timelines *run)
{
    *rows =
        (struct row_list){.intervals = memory_alloc(sizeof *rows->intervals * run->interval_count)};
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        rows->intervals[rows->count] = i;
        rows->count += interval->complete && interval->end >= interval->begin;
    }
    rows->blocks = jackknife_block_count(rows->count);
}

void row_list_release(struct row_list *rows)
{
    memory_free(rows->intervals);
    *rows = (struct row_list){0};
}

size_t row_list_block(const struct row_list *rows, uint32_t block)
{
    return jackknife_first(block, rows->count, rows->blocks);
}
