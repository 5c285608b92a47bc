#include "waits/alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TARGETS = 8, WAITS_REST = TARGETS, RESTS = TARGETS + 1, KINDS = TARGETS + 2, DEALS = 199 };

/* Of a time that one window may have, what a member did in it: waits for TARGETS groups, for others, the rest. */
struct profile {
    double time[CASCADE_WINDOWS][KINDS];
    double mean[KINDS]; /* part of the time that it was there */
    bool there[CASCADE_WINDOWS];
    uint32_t vertex, part;
};

struct testing {
    const struct cascade *cascade;
    const uint32_t *group_of;
    uint32_t *part_of;
    struct profile *members;
    bool *is_virtual; /* by vertex */
    uint32_t parts;
    uint32_t blocks; /* of windows, that are dealt as one */
    uint64_t random;
};

/* ---- profiles ---- */

/* A thread that was made or ended meanwhile is looked at where it was there for a whole window; a virtual one is
 * always there. */
static void find_life(const struct testing *t, struct profile *member)
{
    const struct vertex_table *vertices = t->cascade->vertices;
    const struct kernel_task *task = &vertices->side->tasks[member->vertex];
    const time_ns *borders = t->cascade->borders;
    bool whole = t->is_virtual[member->vertex];
    bool made = task->maker != TASK_NONE;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        member->there[w] =
            t->cascade->recorded[w] > 0 &&
            (whole || ((!made || task->seen <= borders[w]) && task->ended >= borders[w + 1]));
}

static void find_mean(struct testing *t, struct profile *member)
{
    double there = 0;
    memset(member->mean, 0, sizeof member->mean);
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++) {
        double waited = 0;
        for (uint32_t k = 0; k < RESTS; k++)
            waited += member->time[w][k];
        double rest = (double)t->cascade->recorded[w] - waited;
        member->time[w][RESTS] = rest > 0 ? rest : 0;
        if (!member->there[w])
            continue;
        there += (double)t->cascade->recorded[w];
        for (uint32_t k = 0; k < KINDS; k++)
            member->mean[k] += member->time[w][k];
    }
    for (uint32_t k = 0; k < KINDS && there > 0; k++)
        member->mean[k] /= there;
}

/* ---- blocks ---- */

/* How many windows a block must have, so that a wait seldom goes on from one into the next: of waits whose
 * lengths are exponential, a moment lies on average in one of twice the mean. Waits of several lengths count
 * by their time. */
static uint32_t windows_of_block(const struct testing *t, const struct cascade_edge *const *edges,
                                 size_t count)
{
    double time = 0, weighed = 0;
    const time_ns *borders = t->cascade->borders;
    double window = (double)(borders[CASCADE_WINDOWS] - borders[0]) / CASCADE_WINDOWS;
    for (size_t i = 0; i < count; i++) {
        double raw = (double)cascade_sum(edges[i]->raw);
        time += raw;
        weighed += edges[i]->count ? raw * raw / (double)edges[i]->count : raw * raw;
    }
    double length = time > 0 && window > 0 ? 2 * weighed / time / window : 0;
    double windows = ceil(length * ALIKE_BLOCK_WAITS);
    return windows < 1 ? 1 : windows > CASCADE_WINDOWS ? CASCADE_WINDOWS : (uint32_t)windows;
}

/* What is left over at the end is of no block. */
static void put_together(const struct testing *t, struct profile *member, uint32_t windows)
{
    for (uint32_t b = 0; b < t->blocks; b++) {
        double time[KINDS] = {0};
        bool there = true;
        for (uint32_t w = b * windows; w < (b + 1) * windows; w++) {
            there &= member->there[w];
            for (uint32_t k = 0; k < KINDS; k++)
                time[k] += member->time[w][k];
        }
        memcpy(member->time[b], time, sizeof time);
        member->there[b] = there;
    }
}

/* ---- two parts ---- */

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t k = 0; k < KINDS; k++)
        sum += fabs(a[k] - b[k]);
    return sum / 2;
}

static void mean_of(const struct testing *t, const uint32_t *members, uint32_t count,
                    const bool *second, bool which, double *mean)
{
    uint32_t of = 0;
    memset(mean, 0, KINDS * sizeof *mean);
    for (uint32_t i = 0; i < count; i++) {
        if (second && second[i] != which)
            continue;
        of++;
        for (uint32_t k = 0; k < KINDS; k++)
            mean[k] += t->members[members[i]].mean[k];
    }
    for (uint32_t k = 0; k < KINDS && of; k++)
        mean[k] /= of;
}

static const double *farthest(const struct testing *t, const uint32_t *members, uint32_t count,
                              const double *from)
{
    const double *most = t->members[members[0]].mean;
    for (uint32_t i = 1; i < count; i++)
        if (distance(t->members[members[i]].mean, from) > distance(most, from))
            most = t->members[members[i]].mean;
    return most;
}

/* By member, whether it is of the second part. How far their means are apart. */
static double cut(const struct testing *t, const uint32_t *members, uint32_t count, bool *second)
{
    enum { ROUNDS = 20 };
    double first_mean[KINDS], second_mean[KINDS];
    bool moved = true;
    mean_of(t, members, count, NULL, false, first_mean);
    memcpy(first_mean, farthest(t, members, count, first_mean), sizeof first_mean);
    memcpy(second_mean, farthest(t, members, count, first_mean), sizeof second_mean);
    for (uint32_t i = 0; i < count; i++)
        second[i] = false;
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (uint32_t i = 0; i < count; i++) {
            const double *mean = t->members[members[i]].mean;
            bool nearer = distance(mean, second_mean) < distance(mean, first_mean);
            moved |= nearer != second[i];
            second[i] = nearer;
        }
        mean_of(t, members, count, second, false, first_mean);
        mean_of(t, members, count, second, true, second_mean);
    }
    return distance(first_mean, second_mean);
}

/* ---- the test ---- */

/* Who is there in a window; how many. */
static uint32_t present(const struct testing *t, const uint32_t *members, uint32_t count,
                        uint32_t window, uint32_t *there)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (t->members[members[i]].there[window])
            there[n++] = i;
    return n;
}

static void deal_window(struct testing *t, uint32_t *order, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)(hash_mix(t->random++) % i), held = order[i - 1];
        order[i - 1] = order[k];
        order[k] = held;
    }
}

/* Adds to the sums what each that is there is above the mean of the window, having the time of another by
 * `order`; the squares of the single windows to `within`. */
static void add_window(struct testing *t, const uint32_t *members, uint32_t window, uint32_t n,
                       const uint32_t *there, const uint32_t *order, double (*sums)[KINDS],
                       double *within)
{
    double mean[KINDS] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < KINDS; k++)
            mean[k] += t->members[members[there[i]]].time[window][k] / n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < KINDS; k++) {
            double above = t->members[members[order[i]]].time[window][k] - mean[k];
            sums[there[i]][k] += above;
            within[k] += above * above;
        }
}

static double statistic(struct testing *t, const uint32_t *members, uint32_t count, bool dealt)
{
    double(*sums)[KINDS] = memory_zeroed((count + 1) * sizeof *sums);
    uint32_t *there = memory_alloc((count + 1) * sizeof *there);
    uint32_t *order = memory_alloc((count + 1) * sizeof *order);
    double within[KINDS] = {0}, sum = 0;
    for (uint32_t w = 0; w < t->blocks; w++) {
        uint32_t n = present(t, members, count, w, there);
        memcpy(order, there, n * sizeof *order);
        if (dealt)
            deal_window(t, order, n);
        if (n > 1)
            add_window(t, members, w, n, there, order, sums, within);
    }
    for (uint32_t k = 0; k < KINDS; k++) {
        double between = 0;
        for (uint32_t i = 0; i < count; i++)
            between += sums[i][k] * sums[i][k];
        sum += within[k] > 0 ? between / within[k] : 0;
    }
    memory_free(sums);
    memory_free(there);
    memory_free(order);
    return sum;
}

/* It is given up as soon as it cannot be so seldom any more. */
static bool surely_differ(struct testing *t, const uint32_t *members, uint32_t count)
{
    static const double most = ALIKE_LEVEL * (DEALS + 1);
    double seen = statistic(t, members, count, false);
    uint32_t as_large = 1;
    for (uint32_t d = 0; d < DEALS && as_large <= most; d++)
        as_large += statistic(t, members, count, true) >= seen * (1 - 1e-9);
    return as_large <= most;
}

/* ---- a group ---- */

static void split(struct testing *t, uint32_t *members, uint32_t count)
{
    if (count < 2 || t->parts == ALIKE_PARTS)
        return;
    bool *second = memory_alloc(count + 1);
    uint32_t *sorted = memory_alloc((count + 1) * sizeof *sorted);
    bool apart = cut(t, members, count, second) > ALIKE_LEAST && surely_differ(t, members, count);
    if (apart) {
        uint32_t firsts = 0, placed = 0, part = t->parts++;
        for (uint32_t i = 0; i < count; i++)
            if (second[i] == second[0])
                sorted[firsts++] = members[i];
        for (uint32_t i = 0; i < count; i++)
            if (second[i] != second[0]) {
                sorted[firsts + placed++] = members[i];
                t->members[members[i]].part = part;
            }
        memcpy(members, sorted, count * sizeof *members);
        split(t, members, firsts);
        split(t, members + firsts, placed);
    }
    memory_free(second);
    memory_free(sorted);
}

struct target {
    uint32_t group;
    double time;
};

static int by_time(const void *a, const void *b)
{
    const struct target *p = a, *q = b;
    if (p->time != q->time)
        return p->time > q->time ? -1 : 1;
    return p->group < q->group ? -1 : p->group > q->group;
}

/* Which groups those of one wait for most. */
static void find_targets(struct testing *t, const struct cascade_edge *const *edges, size_t count,
                         struct hash_map *kind_of)
{
    struct hash_map place_of = {0};
    struct target *targets = NULL;
    size_t target_count = 0, capacity = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t group = t->group_of[edges[i]->whom];
        uint64_t *place = hash_map_put(&place_of, group);
        if (!*place) {
            VEC_PUSH(targets, target_count, capacity) = (struct target){group, 0};
            *place = target_count;
        }
        targets[*place - 1].time += (double)cascade_sum(edges[i]->raw);
    }
    if (target_count)
        qsort(targets, target_count, sizeof *targets, by_time);
    for (size_t i = 0; i < target_count; i++)
        *hash_map_put(kind_of, targets[i].group) = i < TARGETS ? i : WAITS_REST;
    memory_free(targets);
    hash_map_release(&place_of);
}

/* The members ascend; the edges are theirs. */
static void test_group(struct testing *t, const uint32_t *vertices, uint32_t count,
                       const struct cascade_edge *const *edges, size_t edge_count)
{
    struct hash_map kind_of = {0}, place_of = {0};
    uint32_t *members = memory_alloc((count + 1) * sizeof *members);
    t->members = memory_zeroed((count + 1) * sizeof *t->members);
    t->parts = 1;
    t->random = 20181008;
    find_targets(t, edges, edge_count, &kind_of);
    for (uint32_t i = 0; i < count; i++) {
        members[i] = i;
        t->members[i].vertex = vertices[i];
        *hash_map_put(&place_of, vertices[i]) = i;
        find_life(t, &t->members[i]);
    }
    for (size_t e = 0; e < edge_count; e++) {
        struct profile *member = &t->members[*hash_map_get(&place_of, edges[e]->who)];
        uint64_t kind = *hash_map_get(&kind_of, t->group_of[edges[e]->whom]);
        for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
            member->time[w][kind] += (double)edges[e]->raw[w];
    }
    uint32_t windows = windows_of_block(t, edges, edge_count);
    t->blocks = CASCADE_WINDOWS / windows;
    for (uint32_t i = 0; i < count; i++) {
        find_mean(t, &t->members[i]);
        put_together(t, &t->members[i], windows);
    }
    if (t->blocks >= ALIKE_BLOCKS)
        split(t, members, count);
    for (uint32_t i = 0; i < count; i++)
        t->part_of[vertices[i]] = t->members[i].part;
    memory_free(t->members);
    memory_free(members);
    hash_map_release(&kind_of);
    hash_map_release(&place_of);
}

/* Numbers of so many items, by the group of each: those of group g are order[start[g]] .. order[start[g + 1] - 1]. */
struct by_group {
    size_t *start;
    size_t *order;
};

static struct by_group sorted_by_group(const uint32_t *groups, size_t count, uint32_t group_count)
{
    struct by_group sorted = {memory_zeroed((group_count + 2) * sizeof(size_t)),
                              memory_alloc((count + 1) * sizeof(size_t))};
    for (size_t i = 0; i < count; i++)
        sorted.start[groups[i] + 2]++;
    for (uint32_t g = 0; g < group_count; g++)
        sorted.start[g + 2] += sorted.start[g + 1];
    for (size_t i = 0; i < count; i++)
        sorted.order[sorted.start[groups[i] + 1]++] = i;
    return sorted;
}

static void by_group_release(struct by_group *sorted)
{
    memory_free(sorted->start);
    memory_free(sorted->order);
}

/* Threads that are of a virtual one are no vertices: they are in a group behind all. */
static struct by_group vertices_by_group(const struct testing *t, uint32_t group_count)
{
    const struct vertex_table *vertices = t->cascade->vertices;
    uint32_t *groups = memory_alloc((vertices->count + 1) * sizeof *groups);
    for (uint32_t v = 0; v < vertices->count; v++) {
        bool merged = v < vertices->side->task_count && vertex_of_task(vertices, v) != v;
        groups[v] = merged ? group_count : t->group_of[v];
    }
    struct by_group sorted = sorted_by_group(groups, vertices->count, group_count + 1);
    memory_free(groups);
    return sorted;
}

static struct by_group edges_by_group(const struct testing *t, uint32_t group_count)
{
    uint32_t *groups = memory_alloc((t->cascade->edge_count + 1) * sizeof *groups);
    for (size_t e = 0; e < t->cascade->edge_count; e++)
        groups[e] = t->group_of[t->cascade->edges[e].who];
    struct by_group sorted = sorted_by_group(groups, t->cascade->edge_count, group_count);
    memory_free(groups);
    return sorted;
}

static void find_virtual(struct testing *t)
{
    const struct vertex_table *vertices = t->cascade->vertices;
    t->is_virtual = memory_zeroed(vertices->count + 1);
    for (uint32_t v = 0; v < vertices->side->task_count; v++)
        if (vertex_of_task(vertices, v) != v)
            t->is_virtual[vertex_of_task(vertices, v)] = true;
}

static void test_numbered(struct testing *t, const struct by_group *vertices,
                          const struct by_group *edges, uint32_t group)
{
    size_t count = vertices->start[group + 1] - vertices->start[group];
    size_t edge_count = edges->start[group + 1] - edges->start[group];
    uint32_t *members = memory_alloc((count + 1) * sizeof *members);
    const struct cascade_edge **theirs = memory_alloc((edge_count + 1) * sizeof *theirs);
    for (size_t i = 0; i < count; i++)
        members[i] = (uint32_t)vertices->order[vertices->start[group] + i];
    for (size_t i = 0; i < edge_count; i++)
        theirs[i] = &t->cascade->edges[edges->order[edges->start[group] + i]];
    if (count > 1)
        test_group(t, members, (uint32_t)count, theirs, edge_count);
    memory_free(members);
    memory_free(theirs);
}

void alike_find(uint32_t *part_of, const struct cascade *cascade, const uint32_t *group_of,
                uint32_t group_count, const bool *tested)
{
    struct testing t = {.cascade = cascade, .group_of = group_of, .part_of = part_of};
    struct by_group vertices = vertices_by_group(&t, group_count);
    struct by_group edges = edges_by_group(&t, group_count);
    find_virtual(&t);
    for (uint32_t v = 0; v < cascade->vertices->count; v++)
        part_of[v] = 0;
    for (uint32_t g = 0; g < group_count; g++)
        if (tested[g])
            test_numbered(&t, &vertices, &edges, g);
    memory_free(t.is_virtual);
    by_group_release(&vertices);
    by_group_release(&edges);
}
