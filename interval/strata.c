#include "interval/strata.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_TYPES = 8 }; /* the others are one */

/* The intervals that are chosen from, with where each belongs. */
struct sorting {
    const struct timelines *run;
    const struct row_list *rows;
    const struct interval_summary *summary;
    const struct histogram *bins;
    uint32_t *of, *types; /* by row */
};

static uint32_t bin_of(const struct histogram *histogram, time_ns latency)
{
    uint32_t from = 0, to = histogram->bin_count;
    while (to > from + 1) {
        uint32_t middle = (from + to) / 2;
        if (histogram->edges[middle] <= latency)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static uint32_t type_of(const struct interval_summary *summary, const char *type)
{
    for (uint32_t t = 0; t < summary->type_count; t++)
        if (strcmp(summary->types[t].name, type ? type : "") == 0)
            return t;
    return 0;
}

/* Equal types have one pointer more often than not. */
static void find_types(struct sorting *sorting)
{
    const char *latest = NULL;
    for (size_t r = 0; r < sorting->rows->count; r++) {
        const char *type = sorting->run->intervals[sorting->rows->intervals[r]].type;
        bool same = r > 0 && type == latest;
        sorting->types[r] = same ? sorting->types[r - 1] : type_of(sorting->summary, type);
        latest = type;
    }
}

static uint32_t place_of(const struct sorting *sorting, size_t row)
{
    time_ns latency = row_list_latency(sorting->rows, sorting->run, row);
    uint32_t type = sorting->types[row] < MOST_TYPES ? sorting->types[row] : MOST_TYPES - 1;
    uint32_t bin = bin_of(sorting->bins, latency);
    bool slow = (double)latency >= sorting->summary->p99_ns;
    return 2 * (bin * MOST_TYPES + type) + slow;
}

/* Numbers the strata that have an interval in the order in which they are met. */
static void find_strata(struct sorting *sorting, struct strata *strata, bool *slow)
{
    enum { PLACES = 2 * MOST_TYPES * (HISTOGRAM_BINS + 1) };
    uint32_t numbers[PLACES] = {0};
    strata->items = memory_zeroed(sizeof *strata->items * PLACES);
    for (size_t r = 0; r < sorting->rows->count; r++) {
        uint32_t place = place_of(sorting, r);
        if (!numbers[place]) {
            numbers[place] = ++strata->count;
            slow[strata->count - 1] = place & 1;
        }
        sorting->of[r] = numbers[place] - 1;
        strata->items[sorting->of[r]].count++;
    }
}

static uint64_t kept_at(const struct strata *strata, const bool *slow, bool which, uint64_t most)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < strata->count; s++)
        if (slow[s] == which)
            sum += strata->items[s].count < most ? strata->items[s].count : most;
    return sum;
}

/* Each stratum keeps as many as all can, if together they may be `room`; and one at the least. */
static uint64_t keep(struct strata *strata, const bool *slow, bool which, uint64_t room)
{
    uint64_t least = 1, most = UINT32_MAX;
    while (least < most) {
        uint64_t middle = (least + most + 1) / 2;
        if (kept_at(strata, slow, which, middle) <= room)
            least = middle;
        else
            most = middle - 1;
    }
    for (uint32_t s = 0; s < strata->count; s++)
        if (slow[s] == which)
            strata->items[s].kept =
                (uint32_t)(strata->items[s].count < least ? strata->items[s].count : least);
    return kept_at(strata, slow, which, least);
}

/* Of each stratum those are chosen whose number crosses one more step of its length. */
static void choose(const struct sorting *sorting, struct strata *strata)
{
    uint64_t *seen = memory_zeroed(sizeof *seen * (strata->count + 1));
    strata->rows.count = 0;
    for (size_t r = 0; r < sorting->rows->count; r++) {
        uint32_t s = sorting->of[r];
        const struct stratum *stratum = &strata->items[s];
        uint64_t before = seen[s] * stratum->kept / stratum->count;
        uint64_t now = ++seen[s] * stratum->kept / stratum->count;
        if (now == before)
            continue;
        size_t at = strata->rows.count++;
        strata->rows.intervals[at] = sorting->rows->intervals[r];
        strata->of[at] = s;
        strata->types[at] = sorting->types[r];
    }
    memory_free(seen);
}

void strata_init(struct strata *strata, const struct timelines *run, const struct row_list *rows,
                 const struct interval_summary *summary, const struct histogram *bins,
                 uint32_t most)
{
    bool slow[2 * MOST_TYPES * (HISTOGRAM_BINS + 1)] = {false};
    struct sorting sorting = {.run = run, .rows = rows, .summary = summary, .bins = bins};
    sorting.of = memory_zeroed(sizeof *sorting.of * (rows->count + 1));
    sorting.types = memory_zeroed(sizeof *sorting.types * (rows->count + 1));
    find_types(&sorting);
    *strata = (struct strata){.of = sorting.of, .types = sorting.types};
    strata->rows.intervals = memory_alloc(sizeof *strata->rows.intervals * (rows->count + 1));
    find_strata(&sorting, strata, slow);
    uint64_t used = keep(strata, slow, true, most / 2);
    keep(strata, slow, false, most > used ? most - used : 1);
    choose(&sorting, strata);
}

void strata_release(struct strata *strata)
{
    row_list_release(&strata->rows);
    memory_free(strata->of);
    memory_free(strata->types);
    memory_free(strata->items);
    *strata = (struct strata){0};
}
