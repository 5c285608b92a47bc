#include "variance/outlier.h"

#include <string.h>

/* The slowest rows, the slowest first. */
struct slowest {
    size_t rows[OUTLIER_MOST];
    uint32_t count;
};

static void insert(struct slowest *slowest, const struct row_list *rows,
                   const struct timelines *run, size_t row)
{
    time_ns latency = row_list_latency(rows, run, row);
    uint32_t i = slowest->count;
    if (i == OUTLIER_MOST && row_list_latency(rows, run, slowest->rows[i - 1]) >= latency)
        return;
    i -= i == OUTLIER_MOST;
    for (; i > 0 && row_list_latency(rows, run, slowest->rows[i - 1]) < latency; i--)
        slowest->rows[i] = slowest->rows[i - 1];
    slowest->rows[i] = row;
    slowest->count += slowest->count < OUTLIER_MOST;
}

static double square_of(double x)
{
    return x * x;
}

time_ns run_first_record(const struct timelines *run)
{
    time_ns first = run->thread_count ? run->threads[0].first : 0;
    for (uint32_t t = 1; t < run->thread_count; t++)
        first = run->threads[t].first < first ? run->threads[t].first : first;
    return first;
}

static void set_slowest(struct outliers *outliers, const struct slowest *slowest, uint32_t count,
                        const struct row_list *rows, const struct timelines *run)
{
    outliers->count = count;
    outliers->most_ns = row_list_latency(rows, run, slowest->rows[0]);
    outliers->least_ns = row_list_latency(rows, run, slowest->rows[count - 1]);
    outliers->begin_ns =
        run->intervals[rows->intervals[slowest->rows[0]]].begin - run_first_record(run);
}

void outliers_find(struct outliers *outliers, const struct row_list *rows,
                   const struct timelines *run)
{
    struct slowest slowest = {.count = 0};
    double sum = 0, all = 0, part = 0;
    *outliers = (struct outliers){0};
    for (size_t r = 0; r < rows->count; r++) {
        sum += (double)row_list_latency(rows, run, r);
        insert(&slowest, rows, run, r);
    }
    double mean = rows->count ? sum / (double)rows->count : 0;
    for (size_t r = 0; r < rows->count; r++)
        all += square_of((double)row_list_latency(rows, run, r) - mean);
    for (uint32_t k = 0; k < slowest.count && all > 0; k++) {
        if ((size_t)(k + 1) * OUTLIER_ONE_IN > rows->count)
            return;
        part += square_of((double)row_list_latency(rows, run, slowest.rows[k]) - mean) / all;
        if (part < OUTLIER_PART)
            continue;
        outliers->part = part;
        set_slowest(outliers, &slowest, k + 1, rows, run);
        return;
    }
}

/* What the others have of the line's time. */
static __int128 time_of(const struct root_ledger *ledger, const struct ledger_line *line)
{
    for (uint32_t i = 0; i < ledger->count; i++)
        if (ledger->lines[i].kind == line->kind && strcmp(ledger->lines[i].name, line->name) == 0)
            return ledger->lines[i].all.sum;
    return 0;
}

void outliers_explain(struct outliers *outliers, const struct root_ledger *all,
                      const struct root_ledger *others)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const struct ledger_line *line = &all->lines[i];
        double ns = (double)(line->all.sum - time_of(others, line));
        if (outliers->cause && ns <= outliers->cause_ns)
            continue;
        outliers->cause = line;
        outliers->cause_ns = ns;
    }
}
