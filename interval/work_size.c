#include "interval/work_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "interval/row_list.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"
#include "trace/timeline.h"

enum { MOST_BITS = 47 };

/* The sums are over intervals, of a value v and the latency l. */
struct size_sums {
    __int128 v, vv, vl;
};

struct size {
    uint64_t count;
    int64_t open; /* of the interval being read */
    bool touched;
    struct size_sums all, block[JACKKNIFE_BLOCKS];
};

struct latency_sums {
    uint64_t n;
    __int128 l, ll;
};

struct sizes {
    const struct row_list *rows;
    const struct timelines *run;
    struct intern names;
    struct size *items; /* by name */
    size_t count, capacity;
    uint32_t *touched;
    size_t touched_count, touched_capacity;
    uint32_t blocks;
    struct latency_sums latency, latency_block[JACKKNIFE_BLOCKS];
};

static int64_t bounded(int64_t value)
{
    const int64_t most = INT64_C(1) << MOST_BITS;
    return value > most ? most : value < -most ? -most : value;
}

/* The values of one interval are added up by name. */
static void open_interval(struct sizes *sizes, const struct interval *interval)
{
    sizes->touched_count = 0;
    for (uint32_t i = 0; i < interval->value_count; i++) {
        const char *text = interval->values[i].name;
        uint32_t name = intern_add(&sizes->names, text ? text : "");
        if (name == sizes->count)
            VEC_PUSH(sizes->items, sizes->count, sizes->capacity) = (struct size){0};
        struct size *size = &sizes->items[name];
        if (!size->touched)
            VEC_PUSH(sizes->touched, sizes->touched_count, sizes->touched_capacity) = name;
        size->touched = true;
        size->open = bounded(size->open + bounded(interval->values[i].value));
    }
}

static void close_interval(struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->touched_count; i++) {
        sizes->items[sizes->touched[i]].touched = false;
        sizes->items[sizes->touched[i]].open = 0;
    }
}

static void size_add(struct size_sums *sums, __int128 v, __int128 latency)
{
    sums->v += v;
    sums->vv += v * v;
    sums->vl += v * latency;
}

static void latency_add(struct latency_sums *sums, __int128 latency)
{
    sums->n++;
    sums->l += latency;
    sums->ll += latency * latency;
}

static const struct interval *interval_at(const struct sizes *sizes, size_t row)
{
    return &sizes->run->intervals[sizes->rows->intervals[row]];
}

static void add_intervals(struct sizes *sizes)
{
    for (size_t r = 0; r < sizes->rows->count; r++) {
        const struct interval *interval = interval_at(sizes, r);
        time_ns latency = interval->end - interval->begin;
        uint32_t block = jackknife_block(r, sizes->rows->count, sizes->blocks);
        latency_add(&sizes->latency, latency);
        latency_add(&sizes->latency_block[block], latency);
        open_interval(sizes, interval);
        for (size_t i = 0; i < sizes->touched_count; i++) {
            struct size *size = &sizes->items[sizes->touched[i]];
            size->count++;
            size_add(&size->all, size->open, latency);
            size_add(&size->block[block], size->open, latency);
        }
        close_interval(sizes);
    }
}

static double correlation(const struct size_sums *size, const struct latency_sums *latency)
{
    double vv = exact_covariance(latency->n, size->v, size->v, size->vv);
    double ll = exact_covariance(latency->n, latency->l, latency->l, latency->ll);
    double vl = exact_covariance(latency->n, size->v, latency->l, size->vl);
    return vv > 0 && ll > 0 ? vl / sqrt(vv) / sqrt(ll) : 0;
}

/* Fisher's, in which the correlation's error is even and does not depend on it; finite. */
static double straight(double correlation)
{
    return atanh(fmax(-1 + 1e-12, fmin(1 - 1e-12, correlation)));
}

static void size_confidence(const struct sizes *sizes, const struct size *size, double ci95[2])
{
    double left_out[JACKKNIFE_BLOCKS], ends[2];
    for (uint32_t b = 0; b < sizes->blocks; b++) {
        struct size_sums rest = {size->all.v - size->block[b].v, size->all.vv - size->block[b].vv,
                                 size->all.vl - size->block[b].vl};
        struct latency_sums latency = {sizes->latency.n - sizes->latency_block[b].n,
                                       sizes->latency.l - sizes->latency_block[b].l,
                                       sizes->latency.ll - sizes->latency_block[b].ll};
        left_out[b] = straight(correlation(&rest, &latency));
    }
    jackknife_interval(left_out, sizes->blocks, straight(correlation(&size->all, &sizes->latency)),
                       ends);
    double low = tanh(ends[0]), high = tanh(ends[1]);
    ci95[0] = low * high > 0 ? fmin(low * low, high * high) : 0;
    ci95[1] = fmax(low * low, high * high);
}

static struct interval_value_summary summarize(const struct sizes *sizes, uint32_t name,
                                               struct arena *arena)
{
    const struct size *size = &sizes->items[name];
    const struct latency_sums *latency = &sizes->latency;
    double r = correlation(&size->all, latency);
    double spread = exact_spread(latency->n, size->all.v, size->all.v, size->all.vv);
    struct interval_value_summary value = {.name = arena_strdup(arena, sizes->names.text[name]),
                                           .count = size->count,
                                           .sum = size->all.v,
                                           .square = size->all.vv,
                                           .latency = size->all.vl,
                                           .mean = exact_mean(latency->n, size->all.v),
                                           .explained = r * r};
    if (spread > 0)
        value.slope_ns = exact_spread(latency->n, size->all.v, latency->l, size->all.vl) / spread;
    size_confidence(sizes, size, value.ci95);
    return value;
}

static int value_order(const void *a, const void *b)
{
    const struct interval_value_summary *s = a, *t = b;
    if (s->explained != t->explained)
        return s->explained > t->explained ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* The sums of products of the `count` first values. */
static void add_products(struct sizes *sizes, const struct work_size *work, uint32_t count,
                         __int128 *products)
{
    uint32_t names[WORK_SIZE_JOINT];
    for (uint32_t i = 0; i < count; i++)
        names[i] = intern_find(&sizes->names, work->values[i].name);
    for (size_t r = 0; r < sizes->rows->count; r++) {
        open_interval(sizes, interval_at(sizes, r));
        for (uint32_t i = 0; i < count && sizes->touched_count; i++)
            for (uint32_t j = 0; j < count; j++)
                products[i * count + j] +=
                    (__int128)sizes->items[names[i]].open * sizes->items[names[j]].open;
        close_interval(sizes);
    }
}

static double explained_together(struct sizes *sizes, const struct work_size *work)
{
    uint32_t count = work->value_count < WORK_SIZE_JOINT ? work->value_count : WORK_SIZE_JOINT;
    __int128 products[WORK_SIZE_JOINT * WORK_SIZE_JOINT] = {0};
    double matrix[WORK_SIZE_JOINT * WORK_SIZE_JOINT], with_latency[WORK_SIZE_JOINT];
    add_products(sizes, work, count, products);
    for (uint32_t i = 0; i < count; i++) {
        const struct interval_value_summary *a = &work->values[i];
        struct size_sums sums = {a->sum, a->square, a->latency};
        with_latency[i] = correlation(&sums, &sizes->latency);
        for (uint32_t j = 0; j < count; j++) {
            const struct interval_value_summary *b = &work->values[j];
            struct size_sums pair = {a->sum, a->square, products[i * count + j]};
            struct latency_sums other = {sizes->latency.n, b->sum, b->square};
            matrix[i * count + j] = correlation(&pair, &other);
        }
    }
    return regression_explained(count, matrix, with_latency);
}

void work_size_fill(struct work_size *work, struct arena *arena, const struct row_list *rows,
                    const struct timelines *run)
{
    *work = (struct work_size){0};
    struct sizes sizes = {.rows = rows, .run = run, .blocks = rows->blocks};
    add_intervals(&sizes);
    if (sizes.count) {
        work->value_count = (uint32_t)sizes.count;
        work->values = ARENA_ARRAY(arena, struct interval_value_summary, sizes.count);
        for (uint32_t i = 0; i < sizes.count; i++)
            work->values[i] = summarize(&sizes, i, arena);
        qsort(work->values, sizes.count, sizeof *work->values, value_order);
        work->values_explained = explained_together(&sizes, work);
    }
    intern_release(&sizes.names);
    memory_free(sizes.items);
    memory_free(sizes.touched);
}
