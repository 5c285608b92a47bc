#include "interval/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/number_sort.h"
#include "interval/row_list.h"
#include "stats/exact_moments.h"
#include "stats/quantile.h"
#include "trace/timeline.h"

static void fill_latencies(struct interval_summary *summary, const struct row_list *rows,
                           const struct timelines *run)
{
    time_ns *latencies = memory_alloc(sizeof *latencies * rows->count);
    struct exact_moments moments = {0};
    for (size_t r = 0; r < rows->count; r++) {
        latencies[r] = row_list_latency(rows, run, r);
        exact_moments_add(&moments, latencies[r]);
    }
    number_sort(latencies, rows->count);
    summary->mean_ns = exact_moments_mean(&moments);
    summary->variance_ns2 = exact_moments_variance(&moments);
    summary->stddev_ns = sqrt(summary->variance_ns2);
    summary->min_ns = quantile_sorted(latencies, rows->count, 0);
    summary->p50_ns = quantile_sorted(latencies, rows->count, 0.50);
    summary->p95_ns = quantile_sorted(latencies, rows->count, 0.95);
    summary->p99_ns = quantile_sorted(latencies, rows->count, 0.99);
    summary->p999_ns = quantile_sorted(latencies, rows->count, 0.999);
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        summary->percentiles_ns[i] =
            quantile_sorted(latencies, rows->count, (i + 1) / (SUMMARY_PERCENTILES + 1.0));
    summary->max_ns = quantile_sorted(latencies, rows->count, 1);
    histogram_build(&summary->histogram, latencies, rows->count);
    for (size_t r = rows->count; r-- > 0 && (double)latencies[r] >= summary->p99_ns;)
        summary->tail_count++;
    memory_free(latencies);
}

static int type_order(const void *a, const void *b)
{
    const struct interval_type_summary *s = a, *t = b;
    if (s->count != t->count)
        return s->count > t->count ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* A type is looked up only where its pointer is another one than that of the row before: equal
 * texts of a run have one pointer. */
static void add_types(struct intern *names, struct exact_moments *moments,
                      const struct row_list *rows, const struct timelines *run)
{
    const char *latest = NULL;
    uint32_t name = 0;
    for (size_t r = 0; r < rows->count; r++) {
        const char *type = run->intervals[rows->intervals[r]].type;
        if (!r || type != latest)
            name = intern_add(names, type ? type : "");
        latest = type;
        exact_moments_add(&moments[name], row_list_latency(rows, run, r));
    }
}

static void fill_types(struct interval_summary *summary, struct arena *arena,
                       const struct row_list *rows, const struct timelines *run)
{
    struct intern names = {0};
    struct exact_moments *moments = memory_zeroed(sizeof *moments * (rows->count + 1));
    add_types(&names, moments, rows, run);
    if (names.count > 1 || (names.count == 1 && names.text[0][0])) {
        summary->type_count = (uint32_t)names.count;
        summary->types = ARENA_ARRAY(arena, struct interval_type_summary, names.count);
        for (size_t t = 0; t < names.count; t++)
            summary->types[t] =
                (struct interval_type_summary){.name = arena_strdup(arena, names.text[t]),
                                               .count = moments[t].n,
                                               .mean_ns = exact_moments_mean(&moments[t]),
                                               .variance_ns2 = exact_moments_variance(&moments[t]),
                                               .sum = moments[t].sum,
                                               .square = moments[t].square};
        qsort(summary->types, names.count, sizeof *summary->types, type_order);
    }
    memory_free(moments);
    intern_release(&names);
}

/* n_t/n (S_t/n_t - S/n)^2 = (n S_t - n_t S)^2 / (n_t n^3): the difference is an exact integer. */
static void part_by_type(struct interval_summary *summary)
{
    long double n = (long double)summary->count, between = 0, within = 0;
    __int128 all = 0;
    for (uint32_t t = 0; t < summary->type_count; t++)
        all += summary->types[t].sum;
    for (uint32_t t = 0; t < summary->type_count; t++) {
        const struct interval_type_summary *type = &summary->types[t];
        long double apart = (long double)((__int128)summary->count * type->sum - type->count * all);
        between += apart / n * (apart / n) / n / (long double)type->count;
        within += (long double)type->variance_ns2 * (long double)type->count / n;
    }
    summary->between_types_ns2 = (double)between;
    summary->within_types_ns2 = (double)within;
}

void interval_summary_fill(struct interval_summary *summary, struct arena *arena,
                           const struct row_list *rows, const struct timelines *run)
{
    *summary = (struct interval_summary){.count = rows->count};
    summary->incomplete = run->interval_count - run->intervals_outside - rows->count - rows->left_out;
    fill_latencies(summary, rows, run);
    fill_types(summary, arena, rows, run);
    part_by_type(summary);
    work_size_fill(&summary->work, arena, rows, run);
}
