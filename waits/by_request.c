#include "waits/by_request.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/number_sort.h"
#include "interval/path_walk.h"
#include "stats/exact_moments.h"
#include "stats/quantile.h"
#include "waits/gap_sums.h"

#define EDGE_KIND 15u /* no time_kind */

struct filling {
    struct by_request *requests;
    const struct timelines *run;
    const uint32_t *group_of; /* by vertex */
    struct time_owner owner;
    struct path_walk path;
    struct hash_map part_of; /* kind, from, to -> 1 + leaf or edge */
    size_t leaf_capacity, edge_capacity;
    struct gap_sums gaps;
    struct part_times *collected; /* not NULL: what is told is of no request */
    /* Of the request that is walked: */
    uint32_t block;
    time_ns latency, left; /* `left` of it no leaf has yet */
    bool slow;
};

/* ---- the sums ---- */

static uint64_t key_of(uint32_t kind, uint32_t from, uint32_t to)
{
    const uint64_t mask = (1u << 30) - 1;
    return (uint64_t)kind << 60 | (from & mask) << 30 | (to & mask);
}

/* A part's number: leaves and edges in turn. */
static uint32_t part_of(struct filling *f, uint32_t kind, uint32_t from, uint32_t to)
{
    bool edge = kind == EDGE_KIND;
    struct request_parts *parts = edge ? &f->requests->edges : &f->requests->leaves;
    uint64_t *known = hash_map_put(&f->part_of, key_of(kind, from, to));
    if (!*known) {
        size_t count = parts->count, *capacity = edge ? &f->edge_capacity : &f->leaf_capacity;
        VEC_PUSH(parts->items, count, *capacity) = (struct request_part){
            .kind = edge ? TIME_WAITS : (enum time_kind)kind, .from = from, .to = to};
        parts->count = (uint32_t)count;
        *known = 2 * count - 1 + edge;
    }
    return (uint32_t)*known - 1;
}

static void add_to(const struct filling *f, struct request_part *part, time_ns ns)
{
    struct request_sum *sum = &part->sums[f->block];
    sum->time += ns;
    sum->with_latency += (__int128)ns * f->latency;
    sum->slow += f->slow ? ns : 0;
}

static void add(void *context, uint32_t part, time_ns ns)
{
    struct filling *f = context;
    bool edge = part % 2;
    if (f->collected) {
        part_times_add(f->collected, part, ns);
        return;
    }
    add_to(f, &(edge ? &f->requests->edges : &f->requests->leaves)->items[part / 2], ns);
    f->left -= edge ? 0 : ns;
}

static uint32_t group_of(const struct filling *f, uint32_t vertex)
{
    return vertex == NO_VERTEX ? NO_GROUP : f->group_of[vertex];
}

static void take_leaf(void *context, enum time_kind kind, uint32_t from, uint32_t to, time_ns ns)
{
    struct filling *f = context;
    add(f, part_of(f, kind, group_of(f, from), group_of(f, to)), ns);
}

static void take_edge(void *context, uint32_t from, uint32_t to, time_ns ns)
{
    struct filling *f = context;
    add(f, part_of(f, EDGE_KIND, group_of(f, from), group_of(f, to)), ns);
}

static const struct time_taker taker = {take_leaf, take_edge};

/* ---- the walk ---- */

static void take_stretch(void *context, uint32_t thread, time_ns lo, time_ns hi)
{
    const struct filling *f = context;
    time_owner_tell(&f->owner, thread, lo, hi);
}

static void collect(void *context, uint32_t thread, time_ns lo, time_ns hi,
                    struct part_times *times)
{
    struct filling *f = context;
    f->collected = times;
    time_owner_tell(&f->owner, thread, lo, hi);
    f->collected = NULL;
}

static void take_gap(void *context, const struct path_gap *gap)
{
    struct filling *f = context;
    uint32_t vertex = f->owner.vertex_of_thread[gap->thread];
    take_edge(f, NO_VERTEX, vertex, gap->hi - gap->lo);
    if (gap->came > gap->lo)
        take_leaf(f, TIME_QUEUE, vertex, NO_VERTEX, gap->came - gap->lo);
    time_ns lo = gap->came, hi = gap->hi;
    if (gap_sums_within(&f->gaps, gap->thread, &lo, &hi)) {
        time_owner_tell(&f->owner, gap->thread, gap->came, lo);
        time_owner_tell(&f->owner, gap->thread, hi, gap->hi);
    } else {
        time_owner_tell(&f->owner, gap->thread, lo, hi);
    }
}

static void take_rest(void *context, time_ns lo, time_ns hi)
{
    take_leaf(context, TIME_UNEXPLAINED, NO_VERTEX, NO_VERTEX, hi - lo);
}

static const struct path_visitor visitor = {take_stretch, take_gap, take_rest};

static void walk_row(struct filling *f, const struct row_list *rows, size_t row)
{
    struct by_request *requests = f->requests;
    struct request_sum *all;
    f->block = jackknife_block(row, rows->count, rows->blocks);
    f->latency = f->left = row_list_latency(rows, f->run, row);
    f->slow = (double)f->latency >= requests->p99_ns;
    all = &requests->latency.sums[f->block];
    all->count++;
    all->slow_count += f->slow;
    add_to(f, &requests->latency, f->latency);
    path_walk_interval(&f->path, rows->intervals[row]);
    requests->broken += f->left != 0;
}

static void walk_rows(struct filling *f, const struct row_list *rows)
{
    struct segment_index segments;
    struct left_off left;
    segment_index_init(&segments, f->run);
    left_off_init(&left, f->run);
    gap_sums_init(&f->gaps, f->run, collect, add, f);
    path_walk_init(&f->path, f->run, &segments, &left, &visitor, f);
    for (size_t r = 0; r < rows->count; r++)
        walk_row(f, rows, r);
    segment_index_release(&segments);
    left_off_release(&left);
    gap_sums_release(&f->gaps);
}

static double percentile_of(const struct row_list *rows, const struct timelines *run, double q)
{
    time_ns *latencies = memory_alloc(sizeof *latencies * (rows->count + 1));
    for (size_t r = 0; r < rows->count; r++)
        latencies[r] = row_list_latency(rows, run, r);
    number_sort(latencies, rows->count);
    double found = quantile_sorted(latencies, rows->count, q);
    memory_free(latencies);
    return found;
}

/* ---- what is said of the sums ---- */

static struct request_sum sum_but(const struct request_part *part, uint32_t blocks, uint32_t but)
{
    struct request_sum sum = {0};
    for (uint32_t b = 0; b < blocks; b++) {
        if (b == but)
            continue;
        sum.time += part->sums[b].time;
        sum.with_latency += part->sums[b].with_latency;
        sum.slow += part->sums[b].slow;
        sum.count += part->sums[b].count;
        sum.slow_count += part->sums[b].slow_count;
    }
    return sum;
}

#define NO_BLOCK UINT32_MAX

static double slower(const struct request_sum *part, const struct request_sum *all)
{
    return exact_mean(all->slow_count, part->slow) - exact_mean(all->count, part->time);
}

/* A part's numbers of all requests, and without each block. */
struct estimates {
    struct jackknife_sum mean, with, whole, slower;
};

static void estimate(double *mean, double *with, double *whole, double *by,
                     const struct request_sum *part, const struct request_sum *all)
{
    *mean = exact_mean(all->count, part->time);
    *with = exact_covariance(all->count, part->time, all->time, part->with_latency);
    *whole = exact_covariance(all->count, all->time, all->time, all->with_latency);
    *by = slower(part, all);
}

static void set_numbers(struct request_part *part, const struct by_request *requests)
{
    const struct request_part *latency = &requests->latency;
    uint32_t blocks = requests->blocks;
    struct request_sum sum = sum_but(part, blocks, NO_BLOCK),
                       all = sum_but(latency, blocks, NO_BLOCK);
    struct estimates e;
    bool told = blocks > 1; /* of slow ones, by more than one block */
    estimate(&e.mean.all, &e.with.all, &e.whole.all, &e.slower.all, &sum, &all);
    for (uint32_t b = 0; b < blocks; b++) {
        struct request_sum part_left = sum_but(part, blocks, b), left = sum_but(latency, blocks, b);
        estimate(&e.mean.left_out[b], &e.with.left_out[b], &e.whole.left_out[b],
                 &e.slower.left_out[b], &part_left, &left);
        told &= left.slow_count > 0;
    }
    part->share = exact_mean((uint64_t)all.time, sum.time);
    part->mean_ns.value = e.mean.all;
    part->of_variance.value = e.whole.all > 0 ? e.with.all / e.whole.all : 0;
    part->slow_ns = exact_mean(all.slow_count, sum.slow);
    part->slower_ns.value = e.slower.all;
    jackknife_interval(e.mean.left_out, blocks, e.mean.all, part->mean_ns.ci95);
    jackknife_ratio_interval(&e.with, &e.whole, blocks, part->of_variance.ci95);
    jackknife_interval(e.slower.left_out, blocks, e.slower.all, part->slower_ns.ci95);
    if (!told)
        part->slower_ns.ci95[0] = part->slower_ns.ci95[1] = NAN;
}

static int by_time(const void *a, const void *b)
{
    const struct request_part *p = a, *q = b;
    if (p->mean_ns.value != q->mean_ns.value)
        return p->mean_ns.value > q->mean_ns.value ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

static void finish(struct request_parts *parts, const struct by_request *requests)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parts->count; i++) { /* some were met in no request */
        parts->items[kept] = parts->items[i];
        kept += sum_but(&parts->items[i], requests->blocks, NO_BLOCK).time > 0;
    }
    parts->count = kept;
    for (uint32_t i = 0; i < parts->count; i++)
        set_numbers(&parts->items[i], requests);
    if (parts->count)
        qsort(parts->items, parts->count, sizeof *parts->items, by_time);
}

void by_request_fill(struct by_request *requests, const struct timelines *run,
                     const struct vertex_table *vertices, const struct wait_graph *graph,
                     const struct row_list *rows)
{
    struct filling f = {.requests = requests, .run = run, .group_of = graph->group_of};
    *requests = (struct by_request){.blocks = rows->blocks, .count = rows->count};
    requests->latency.from = requests->latency.to = NO_GROUP;
    requests->p99_ns = percentile_of(rows, run, 0.99);
    time_owner_init(&f.owner, run, vertices, &taker, &f);
    walk_rows(&f, rows);
    struct request_sum all = sum_but(&requests->latency, requests->blocks, NO_BLOCK);
    requests->slow_count = all.slow_count;
    requests->sd_ns = sqrt(exact_variance(all.count, all.time, all.with_latency));
    set_numbers(&requests->latency, requests);
    finish(&requests->leaves, requests);
    finish(&requests->edges, requests);
    time_owner_release(&f.owner);
    hash_map_release(&f.part_of);
}

void by_request_release(struct by_request *requests)
{
    memory_free(requests->leaves.items);
    memory_free(requests->edges.items);
    *requests = (struct by_request){0};
}

static int by_slower(const void *a, const void *b)
{
    const struct request_part *p = *(const struct request_part *const *)a,
                              *q = *(const struct request_part *const *)b;
    double x = fabs(p->slower_ns.value), y = fabs(q->slower_ns.value);
    return x != y ? (x > y ? -1 : 1) : by_time(p, q);
}

const struct request_part **request_parts_by_weight(const struct request_parts *parts,
                                                    bool slow_first)
{
    const struct request_part **order = memory_alloc(sizeof *order * ((size_t)parts->count + 1));
    for (uint32_t i = 0; i < parts->count; i++)
        order[i] = &parts->items[i];
    if (slow_first && parts->count)
        qsort(order, parts->count, sizeof *order, by_slower);
    return order;
}

const char *by_request_check(const struct by_request *requests)
{
    if (requests->broken)
        return "what a request waited for does not add up to its latency";
    for (uint32_t b = 0; b < requests->blocks; b++) {
        const struct request_sum *all = &requests->latency.sums[b];
        struct request_sum left = *all;
        for (uint32_t i = 0; i < requests->leaves.count; i++) {
            const struct request_sum *sum = &requests->leaves.items[i].sums[b];
            left.time -= sum->time;
            left.with_latency -= sum->with_latency;
            left.slow -= sum->slow;
        }
        if (left.time || left.slow)
            return "what requests waited for does not add up to their latency";
        if (left.with_latency)
            return "the shares of the requests' variance do not add up to 1";
    }
    return NULL;
}
