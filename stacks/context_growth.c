#include "stacks/context_growth.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

bool context_growth_add(struct context_growth *growth, double size, const struct side_run *run,
                        const bool *chosen)
{
    const struct side_wish wish = {growth->unit, 1, chosen};
    if (!side_blocks_add(&growth->runs, run, &wish))
        return false;
    VEC_PUSH(growth->sizes, growth->size_count, growth->size_capacity) = size;
    growth->largest = fmax(growth->largest, size);
    return true;
}

static bool has_sizes(const struct context_growth *growth)
{
    uint32_t different = 0;
    for (size_t i = 0; i < growth->size_count; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first = first && growth->sizes[j] != growth->sizes[i];
        different += first;
    }
    return different >= GROWTH_SIZES;
}

/* ---- times ---- */

struct fitting {
    struct context_growth *growth;
    double *variance_below;      /* [node * runs + run], with all below */
    struct growth_point *points; /* by run */
};

static double *sums_below(const struct side_blocks *runs, const double *own)
{
    size_t count = runs->tree.count, blocks = runs->blocks;
    double *sums = memory_alloc(sizeof *sums * (count * blocks + 1));
    for (size_t i = 0; i < count * blocks; i++)
        sums[i] = own[i];
    for (size_t n = count; n-- > 1;)
        for (size_t b = 0; b < blocks; b++)
            sums[runs->tree.nodes[n].parent * blocks + b] += sums[n * blocks + b];
    return sums;
}

double context_growth_time(const struct context_growth *growth, uint32_t node, size_t run,
                           bool below)
{
    const double *times = below ? growth->below : growth->runs.own;
    return times[node * growth->runs.blocks + run] / growth->runs.units[run];
}

/* Of the runs at the largest size. */
static double mean_at_largest(const struct context_growth *growth, const double *row)
{
    double sum = 0, units = 0;
    for (size_t r = 0; r < growth->size_count; r++)
        if (growth->sizes[r] == growth->largest) {
            sum += row[r];
            units += growth->runs.units[r];
        }
    return units > 0 ? sum / units : 0;
}

/* ---- the fits ---- */

static bool fit(const struct fitting *f, uint32_t node, const double *times,
                const double *variances, struct growth *out)
{
    const struct context_growth *growth = f->growth;
    size_t runs = growth->size_count;
    for (size_t r = 0; r < runs; r++) {
        double units = growth->runs.units[r], time = times[node * runs + r] / units;
        double error = sqrt(variances[node * runs + r]) / units;
        f->points[r] =
            (struct growth_point){growth->sizes[r], time, hypot(error, GROWTH_LEAST_ERROR * time)};
    }
    return growth_fit(out, f->points, runs);
}

static struct node_growth fit_node(const struct fitting *f, uint32_t node)
{
    const struct context_growth *growth = f->growth;
    const struct side_blocks *runs = &growth->runs;
    size_t count = growth->size_count;
    double all = mean_at_largest(growth, growth->below);
    const struct side_wait *waits = &runs->waits[node];
    struct node_growth fitted = {.node = node};
    fitted.fits = fit(f, node, runs->own, runs->variance, &fitted.own);
    fitted.below_fits = fit(f, node, growth->below, f->variance_below, &fitted.below);
    fitted.share = all > 0 ? mean_at_largest(growth, runs->own + node * count) / all : 0;
    fitted.below_share = all > 0 ? mean_at_largest(growth, growth->below + node * count) / all : 0;
    fitted.waits = 2 * (waits->for_work + waits->for_others) > waits->own;
    fitted.rank = fitted.fits ? growth_rank(&fitted.own, fitted.share) : 0;
    return fitted;
}

static int rank_order(const void *a, const void *b)
{
    const struct node_growth *p = a, *q = b;
    if ((p->rank > 0 && !p->waits) != (q->rank > 0 && !q->waits))
        return p->rank > 0 && !p->waits ? -1 : 1;
    if (p->rank != q->rank)
        return p->rank > q->rank ? -1 : 1;
    if (p->share != q->share)
        return p->share > q->share ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

static void fit_all(struct fitting *f)
{
    struct context_growth *growth = f->growth;
    growth->whole = fit_node(f, CONTEXT_ROOT);
    for (uint32_t n = 1; n < growth->runs.tree.count; n++) {
        struct node_growth fitted = fit_node(f, n);
        if (fitted.fits)
            VEC_PUSH(growth->items, growth->count, growth->capacity) = fitted;
    }
    if (growth->count)
        qsort(growth->items, growth->count, sizeof *growth->items, rank_order);
}

bool context_growth_make(struct context_growth *growth)
{
    struct fitting f = {.growth = growth};
    if (!has_sizes(growth))
        return false;
    side_blocks_finish(&growth->runs);
    growth->below = sums_below(&growth->runs, growth->runs.own);
    f.variance_below = sums_below(&growth->runs, growth->runs.variance);
    f.points = memory_alloc(sizeof *f.points * growth->size_count);
    fit_all(&f);
    memory_free(f.variance_below);
    memory_free(f.points);
    return true;
}

void context_growth_release(struct context_growth *growth)
{
    side_blocks_release(&growth->runs);
    memory_free(growth->sizes);
    memory_free(growth->items);
    memory_free(growth->below);
    *growth = (struct context_growth){0};
}
