#include "stacks/tree_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/frame_shadow.h"
#include "stacks/unit_change.h"
#include "stats/false_discovery.h"

#define NO_CHANGE CONTEXT_NONE

struct comparing {
    const struct change_side *sides;
    struct tree_changes *changes;
    double *mean[2];  /* by node: own ns a unit */
    double *total[2]; /* the same with all below it */
    double *rest;     /* by change: B's mean less A's, of all that are one with it so far */
    double *rows[2];  /* [change * blocks + block]: own of all that are one with it */
    double *open[2];  /* by change: the variance that the number of samples leaves, of a unit */
    size_t capacity;
};

/* A node that only one version has, below one that both have. */
struct single {
    int side;
    uint32_t node, above, shadow; /* the latter are A's; shadow: or CONTEXT_NONE (frame_shadow.h) */
    double change;
};

struct single_list {
    struct single *items;
    size_t count, capacity;
};

static double units_of(const struct change_side *side)
{
    double units = 0;
    for (uint32_t b = 0; b < side->blocks; b++)
        units += side->units[b];
    return units;
}

static void find_means(struct comparing *c, int s)
{
    const struct change_side *side = &c->sides[s];
    size_t count = side->tree->count;
    double units = units_of(side);
    c->mean[s] = memory_zeroed(count * sizeof *c->mean[s]);
    c->total[s] = memory_zeroed(count * sizeof *c->total[s]);
    for (size_t n = 0; n < count; n++)
        for (uint32_t b = 0; b < side->blocks; b++)
            c->mean[s][n] += side->own[n * side->blocks + b] / units;
    for (size_t n = count; n-- > 0;) {
        c->total[s][n] += c->mean[s][n];
        if (n)
            c->total[s][side->tree->nodes[n].parent] += c->total[s][n];
    }
}

/* ---- which nodes are compared together ---- */

static uint32_t add_change(struct comparing *c, uint32_t a, uint32_t b)
{
    size_t count = c->changes->count;
    VEC_PUSH(c->changes->items, count, c->capacity) =
        (struct node_change){.node = {a, b},
                             .presence = a == CONTEXT_NONE   ? NODE_NEW
                                         : b == CONTEXT_NONE ? NODE_GONE
                                                             : NODE_IN_BOTH};
    c->changes->count = (uint32_t)count;
    return (uint32_t)count - 1;
}

static void add_pairs(struct comparing *c)
{
    struct tree_changes *changes = c->changes;
    for (size_t n = 0; n < c->sides[0].tree->count; n++) {
        uint32_t other = changes->match.other[0][n];
        if (other == CONTEXT_NONE || (c->mean[0][n] == 0 && c->mean[1][other] == 0))
            continue;
        changes->change_of[0][n] = changes->change_of[1][other] = add_change(c, (uint32_t)n, other);
    }
}

static void list_singles(const struct comparing *c, int s, struct single_list *list)
{
    const struct tree_match *match = &c->changes->match;
    const struct context_tree *const trees[2] = {c->sides[0].tree, c->sides[1].tree};
    uint32_t *shadow = frame_shadow_find(s, trees, match);
    for (size_t n = 0; n < c->sides[s].tree->count; n++) {
        uint32_t above = match->above[s][n];
        if (match->other[s][n] != CONTEXT_NONE || c->mean[s][n] == 0)
            continue;
        VEC_PUSH(list->items, list->count, list->capacity) =
            (struct single){.side = s,
                            .node = (uint32_t)n,
                            .above = s == 0 ? above : match->other[1][above],
                            .shadow = shadow[n],
                            .change = s == 0 ? -c->mean[s][n] : c->mean[s][n]};
    }
    memory_free(shadow);
}

static int single_order(const void *a, const void *b)
{
    const struct single *p = a, *q = b;
    double first = fabs(p->change), second = fabs(q->change);
    if (p->above != q->above)
        return p->above < q->above ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    if (p->side != q->side)
        return p->side - q->side;
    return p->node < q->node ? -1 : p->node > q->node;
}

/* The change of A's node, if what both versions have there differs less with the single one; or NO_CHANGE. */
static uint32_t joins(const struct comparing *c, uint32_t a, const struct single *single)
{
    uint32_t change = a == CONTEXT_NONE ? NO_CHANGE : c->changes->change_of[0][a];
    if (change == NO_CHANGE || fabs(c->rest[change] + single->change) >= fabs(c->rest[change]))
        return NO_CHANGE;
    return change;
}

static void add_single(struct comparing *c, const struct single *single)
{
    struct tree_changes *changes = c->changes;
    uint32_t *of = &changes->change_of[single->side][single->node];
    uint32_t with = joins(c, single->shadow, single);
    if (with == NO_CHANGE)
        with = joins(c, single->above, single);
    if (with != NO_CHANGE) {
        c->rest[with] += single->change;
        changes->items[with].joined++;
        *of = with;
    } else if (single->side == 0) {
        *of = add_change(c, single->node, CONTEXT_NONE);
    } else {
        *of = add_change(c, CONTEXT_NONE, single->node);
    }
}

/* Single ones have no others that may be one with them. */
static void add_singles(struct comparing *c)
{
    struct single_list list = {0};
    uint32_t pairs = c->changes->count;
    c->rest = memory_alloc(sizeof *c->rest * (pairs + 1));
    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t *node = c->changes->items[i].node;
        c->rest[i] = c->mean[1][node[1]] - c->mean[0][node[0]];
    }
    for (int s = 0; s < 2; s++)
        list_singles(c, s, &list);
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, single_order);
    for (size_t i = 0; i < list.count; i++)
        add_single(c, &list.items[i]);
    memory_free(list.items);
    memory_free(c->rest);
}

/* ---- how sure the changes are ---- */

static void sum_rows(struct comparing *c, int s)
{
    const struct change_side *side = &c->sides[s];
    c->rows[s] = memory_zeroed(sizeof *c->rows[s] * ((size_t)c->changes->count + 1) * side->blocks);
    for (size_t n = 0; n < side->tree->count; n++) {
        uint32_t change = c->changes->change_of[s][n];
        if (change == NO_CHANGE)
            continue;
        for (uint32_t b = 0; b < side->blocks; b++)
            c->rows[s][(size_t)change * side->blocks + b] += side->own[n * side->blocks + b];
    }
}

static void sum_open(struct comparing *c, int s)
{
    const struct change_side *side = &c->sides[s];
    double units = units_of(side);
    c->open[s] = memory_zeroed(sizeof *c->open[s] * ((size_t)c->changes->count + 1));
    for (size_t n = 0; side->variance && n < side->tree->count; n++) {
        uint32_t change = c->changes->change_of[s][n];
        for (uint32_t b = 0; change != NO_CHANGE && b < side->blocks; b++)
            c->open[s][change] += side->variance[n * side->blocks + b] / (units * units);
    }
}

/* The blocks of a side from `first` on. */
static struct unit_side side_of(const struct comparing *c, int s, uint32_t change, uint32_t first,
                                uint32_t count)
{
    const struct change_side *side = &c->sides[s];
    bool whole = count == side->blocks;
    return (struct unit_side){.own = c->rows[s] + (size_t)change * side->blocks + first,
                              .units = side->units + first,
                              .blocks = count,
                              .run_of_block = whole ? side->run_of_block : NULL};
}

static void judge(struct comparing *c, uint32_t index)
{
    struct node_change *item = &c->changes->items[index];
    struct unit_side a = side_of(c, 0, index, 0, c->sides[0].blocks);
    struct unit_side b = side_of(c, 1, index, 0, c->sides[1].blocks);
    struct unit_change change = unit_change_of(&a, &b, CHANGE_BLOCKS, CHANGE_RUNS);
    unit_change_widen(&change, sqrt(c->open[0][index] + c->open[1][index]));
    memcpy(item->own, change.own, sizeof item->own);
    item->change = change.change;
    item->error = change.error;
    item->ci95[0] = change.change - change.half;
    item->ci95[1] = change.change + change.half;
    item->p = change.p;
    c->changes->sure = change.sure;
}

static int p_order(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* Whether it is asked for does not follow from whether it changed: of both sides, it has enough. */
static bool counts(const struct comparing *c, const struct node_change *item)
{
    double all = c->total[0][CONTEXT_ROOT] + c->total[1][CONTEXT_ROOT];
    return item->own[0] + item->own[1] >= CHANGE_LEAST * all;
}

/* Half of what may be told wrongly is for all alike, half for each by its part of both sides' time; so what has most
 * of it is told although many small ones are asked for beside it. */
static void weigh(const struct comparing *c, double *p)
{
    const struct node_change *items = c->changes->items;
    double all = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->changes->count; i++)
        if (counts(c, &items[i])) {
            all += items[i].own[0] + items[i].own[1];
            count++;
        }
    for (uint32_t i = 0; i < c->changes->count; i++)
        if (counts(c, &items[i]))
            p[i] /= 0.5 + 0.5 * count * (items[i].own[0] + items[i].own[1]) / all;
}

/* Of those that count, which it weighs. What has that p or a smaller one is told; none is if it is less than 0. */
static double greatest_told(const struct comparing *c, double *p)
{
    weigh(c, p);
    double *sorted = memory_alloc(sizeof *sorted * (c->changes->count + 1));
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->changes->count; i++)
        if (counts(c, &c->changes->items[i]))
            sorted[count++] = p[i];
    qsort(sorted, count, sizeof *sorted, p_order);
    size_t told = false_discovery_told(sorted, count, CHANGE_WRONG);
    double greatest = told ? sorted[told - 1] : -1;
    memory_free(sorted);
    return greatest;
}

/* A's halves, each with half as many blocks as two sides have to have. */
static void find_floors(struct comparing *c, double *p)
{
    struct tree_changes *changes = c->changes;
    uint32_t blocks = c->sides[0].blocks, half = blocks / 2;
    for (uint32_t i = 0; i < changes->count && half; i++) {
        struct unit_side a = side_of(c, 0, i, 0, half), b = side_of(c, 0, i, half, blocks - half);
        struct unit_change change = unit_change_of(&a, &b, CHANGE_BLOCKS / 2, CHANGE_RUNS);
        changes->items[i].floor = fabs(change.change);
        p[i] = change.p;
    }
    double greatest = half ? greatest_told(c, p) : -1;
    for (uint32_t i = 0; i < changes->count; i++)
        changes->unsteady += half && p[i] <= greatest && counts(c, &changes->items[i]);
}

static void name_told(struct comparing *c)
{
    struct tree_changes *changes = c->changes;
    double *p = memory_alloc(sizeof *p * (changes->count + 1));
    find_floors(c, p);
    for (uint32_t i = 0; i < changes->count; i++)
        p[i] = changes->items[i].p;
    double greatest = greatest_told(c, p);
    for (uint32_t i = 0; i < changes->count; i++) {
        struct node_change *item = &changes->items[i];
        item->told = p[i] <= greatest && fabs(item->change) > item->floor && counts(c, item);
        changes->told += item->told;
    }
    memory_free(p);
}

/* ---- the order in which they are shown ---- */

static int shown_order(const void *a, const void *b)
{
    const struct node_change *p = a, *q = b;
    double first = fabs(p->change), second = fabs(q->change);
    if (p->told != q->told)
        return p->told ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    return p->node[0] != q->node[0]  ? p->node[0] < q->node[0] ? -1 : 1
           : p->node[1] < q->node[1] ? -1
                                     : p->node[1] > q->node[1];
}

struct placed {
    struct node_change item; /* the first member, which is what shown_order() looks at */
    uint32_t was;
};

static void put_in_order(struct comparing *c)
{
    struct tree_changes *changes = c->changes;
    struct placed *placed = memory_alloc(sizeof *placed * (changes->count + 1));
    uint32_t *place = memory_alloc(sizeof *place * (changes->count + 1));
    for (uint32_t i = 0; i < changes->count; i++)
        placed[i] = (struct placed){changes->items[i], i};
    qsort(placed, changes->count, sizeof *placed, shown_order);
    for (uint32_t i = 0; i < changes->count; i++) {
        changes->items[i] = placed[i].item;
        place[placed[i].was] = i;
    }
    for (int s = 0; s < 2; s++)
        for (size_t n = 0; n < c->sides[s].tree->count; n++)
            if (changes->change_of[s][n] != NO_CHANGE)
                changes->change_of[s][n] = place[changes->change_of[s][n]];
    memory_free(place);
    memory_free(placed);
}

static void lay_over(struct comparing *c)
{
    struct match_side match[2];
    for (int s = 0; s < 2; s++) {
        size_t count = c->sides[s].tree->count;
        find_means(c, s);
        match[s] = (struct match_side){c->sides[s].tree, c->total[s]};
        c->changes->change_of[s] = memory_alloc(count * sizeof(uint32_t));
        for (size_t n = 0; n < count; n++)
            c->changes->change_of[s][n] = NO_CHANGE;
    }
    tree_match_find(&c->changes->match, match);
    add_pairs(c);
    add_singles(c);
}

void tree_changes_find(struct tree_changes *changes, const struct change_side sides[2])
{
    struct comparing c = {.sides = sides, .changes = changes};
    *changes = (struct tree_changes){0};
    lay_over(&c);
    for (int s = 0; s < 2; s++) {
        sum_rows(&c, s);
        sum_open(&c, s);
    }
    for (uint32_t i = 0; i < changes->count; i++)
        judge(&c, i);
    name_told(&c);
    put_in_order(&c);
    for (int s = 0; s < 2; s++) {
        memory_free(c.mean[s]);
        memory_free(c.total[s]);
        memory_free(c.rows[s]);
        memory_free(c.open[s]);
    }
}

void tree_changes_release(struct tree_changes *changes)
{
    for (int s = 0; s < 2; s++)
        memory_free(changes->change_of[s]);
    memory_free(changes->items);
    tree_match_release(&changes->match);
    *changes = (struct tree_changes){0};
}
