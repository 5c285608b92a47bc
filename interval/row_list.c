#include "interval/row_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/jackknife.h"

static int slowest_first(const void *a, const void *b)
{
    time_ns s = *(const time_ns *)a, t = *(const time_ns *)b;
    return s != t ? (s < t ? 1 : -1) : 0;
}

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

void row_list_init_of_type(struct row_list *rows, const struct timelines *run, const char *type)
{
    size_t kept = 0;
    row_list_init(rows, run);
    for (size_t r = 0; r < rows->count; r++)
        if (strcmp(run->intervals[rows->intervals[r]].type, type) == 0)
            rows->intervals[kept++] = rows->intervals[r];
    rows->left_out = rows->count - kept;
    rows->count = kept;
    rows->blocks = jackknife_block_count(kept);
}

/* What the slowest of the rows took, `count` of them at the most; and how many rows of just that are
 * among them. */
static time_ns least_of_slowest(const struct row_list *rows, const struct timelines *run,
                                size_t count, size_t *equals)
{
    time_ns *latencies = memory_alloc(sizeof *latencies * rows->count);
    for (size_t r = 0; r < rows->count; r++)
        latencies[r] = row_list_latency(rows, run, r);
    qsort(latencies, rows->count, sizeof *latencies, slowest_first);
    time_ns least = latencies[count - 1];
    for (*equals = 0; *equals < count && latencies[count - 1 - *equals] == least;)
        ++*equals;
    memory_free(latencies);
    return least;
}

void row_list_init_without(struct row_list *rows, const struct timelines *run, size_t count)
{
    size_t equals, kept = 0;
    row_list_init(rows, run);
    count = count < rows->count ? count : rows->count;
    if (!count)
        return;
    time_ns least = least_of_slowest(rows, run, count, &equals);
    for (size_t r = 0; r < rows->count; r++) {
        time_ns latency = row_list_latency(rows, run, r);
        bool out = latency > least || (latency == least && equals);
        equals -= latency == least && equals;
        if (!out)
            rows->intervals[kept++] = rows->intervals[r];
    }
    rows->left_out = rows->count - kept;
    rows->count = kept;
    rows->blocks = jackknife_block_count(kept);
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
