#include "variance/root_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"

#define LEAST_JUDGED 0.02 /* of either latency */

/* A line's sums, by way and side. */
struct line_sums {
    struct jackknife_sum of[DIFFERENCE_WAYS][2];
};

struct ledgers {
    const struct difference_side *sides;
    struct root_difference *result;
    struct leaf_owners owners[2];
    struct intern keys; /* of a line: the key's number is the line's */
    struct line_sums *sums;
    size_t line_capacity, sum_count, sum_capacity;
};

/* ---- helpers ---- */

static void note_helpers(const struct ledgers *l, int side, struct intern *names)
{
    const struct function_table *functions = l->sides[side].side->functions;
    for (uint32_t f = 0; f < functions->function_count; f++)
        if (l->owners[side].helpers.is_helper[f])
            intern_add(names, functions->functions[f].name);
}

static void take_helpers(struct ledgers *l, int side, const struct intern *names)
{
    const struct function_table *functions = l->sides[side].side->functions;
    for (uint32_t f = 0; f < functions->function_count; f++)
        if (intern_find(names, functions->functions[f].name) != INTERN_NONE)
            l->owners[side].helpers.is_helper[f] = true;
}

static void share_helpers(struct ledgers *l)
{
    struct intern names = {0};
    for (int s = 0; s < 2; s++)
        note_helpers(l, s, &names);
    for (int s = 0; s < 2; s++)
        take_helpers(l, s, &names);
    intern_release(&names);
}

/* ---- lines ---- */

static void place_line(const struct function_table *functions, const struct leaf_owner *owner,
                       struct root_change *line)
{
    if (owner->function == FUNCTION_NONE || owner->function >= functions->function_count)
        return;
    line->file = functions->functions[owner->function].file;
    line->line = functions->functions[owner->function].line;
}

static uint32_t line_of(struct ledgers *l, int side, const struct leaf_owner *owner)
{
    struct root_difference *result = l->result;
    struct str key = {0};
    str_printf(&key, "%d %s", (int)owner->kind, owner->name);
    uint32_t number = intern_add(&l->keys, key.data);
    str_release(&key);
    if (number == result->count) {
        size_t count = result->count++;
        VEC_PUSH(result->lines, count, l->line_capacity) =
            (struct root_change){.kind = owner->kind, .name = owner->name, .file = ""};
        VEC_PUSH(l->sums, l->sum_count, l->sum_capacity) = (struct line_sums){.of = {{{0}}}};
    }
    result->lines[number].there[side] = true;
    place_line(l->sides[side].side->functions, owner, &result->lines[number]);
    return number;
}

static void add_side(struct ledgers *l, int side)
{
    const struct variance_tree *tree = l->sides[side].side->tree;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        if (tree->nodes[n].first_child != NODE_NONE)
            continue;
        struct leaf_owner owner = leaf_owner_of(&l->owners[side], n);
        uint32_t line = line_of(l, side, &owner);
        struct line_sums *sums = &l->sums[line];
        node_blocks_mean(l->sides[side].blocks, n, &sums->of[DIFFERENCE_MEAN][side]);
        node_blocks_covariance(l->sides[side].blocks, n, &sums->of[DIFFERENCE_VARIANCE][side]);
    }
}

static void fill_parts(const struct ledgers *l)
{
    for (uint32_t i = 0; i < l->result->count; i++)
        for (int s = 0; s < 2; s++) {
            const struct interval_summary *of = &l->sides[s].side->tree->intervals;
            double whole[] = {of->mean_ns, of->variance_ns2};
            for (int way = 0; way < DIFFERENCE_WAYS; way++)
                l->result->lines[i].part[way][s] =
                    whole[way] > 0 ? l->sums[i].of[way][s].all / whole[way] : 0;
        }
}

/* ---- changes ---- */

static bool applies(const struct root_difference *d, const struct root_change *line)
{
    return !d->blind || line->kind != OWNER_FUNCTION;
}

static bool is_judged(const struct root_difference *d, uint32_t line, enum difference_way way)
{
    const double *part = d->lines[line].part[way];
    return applies(d, &d->lines[line]) && fmax(fabs(part[0]), fabs(part[1])) >= LEAST_JUDGED;
}

static void fill_changes(struct ledgers *l, const struct jackknife_sum *latency,
                         const struct change_rule *rule)
{
    static const enum metric metric_of[] = {METRIC_MEAN, METRIC_VARIANCE};
    struct root_difference *d = l->result;
    for (uint32_t i = 0; i < d->count; i++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
            d->judged += is_judged(d, i, way);
    for (uint32_t i = 0; i < d->count; i++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
            struct change_rule one = *rule;
            one.outside = is_judged(d, i, way) ? rule->outside / d->judged : 0;
            struct change *change = &d->lines[i].changes[way];
            change_judge(change, metric_of[way], l->sums[i].of[way], &latency[way], &one);
            change->applies = applies(d, &d->lines[i]);
        }
}

static double moved(const struct root_change *line)
{
    const struct change *changes = line->changes;
    double variance = fabs(changes[DIFFERENCE_VARIANCE].change);
    return isfinite(variance) ? variance : fabs(changes[DIFFERENCE_MEAN].change);
}

static int by_change(const void *a, const void *b)
{
    const struct root_change *s = a, *t = b;
    double x = moved(s), y = moved(t);
    return x != y ? (x > y ? -1 : 1) : strcmp(s->name, t->name);
}

void root_difference_make(struct root_difference *difference, const struct difference_side sides[2],
                          const struct timed_functions *timed,
                          const struct jackknife_sum latency[DIFFERENCE_WAYS],
                          const struct change_rule *rule)
{
    struct ledgers l = {.sides = sides, .result = difference};
    *difference = (struct root_difference){.blind = timed->one_side ? timed->one_side_name : NULL};
    for (int s = 0; s < 2; s++)
        leaf_owners_init(&l.owners[s], sides[s].side->tree, sides[s].side->functions);
    share_helpers(&l);
    for (int s = 0; s < 2; s++)
        add_side(&l, s);
    fill_parts(&l);
    fill_changes(&l, latency, rule);
    qsort(difference->lines, difference->count, sizeof *difference->lines, by_change);
    for (int s = 0; s < 2; s++)
        leaf_owners_release(&l.owners[s]);
    intern_release(&l.keys);
    memory_free(l.sums);
}

void root_difference_release(struct root_difference *difference)
{
    memory_free(difference->lines);
    *difference = (struct root_difference){0};
}

const struct root_change *root_difference_first(const struct root_difference *difference,
                                                enum difference_way way, int sign)
{
    const struct root_change *first = NULL;
    for (uint32_t i = 0; i < difference->count; i++) {
        const struct root_change *line = &difference->lines[i];
        const struct change *change = &line->changes[way];
        if (change->applies && change->verdict && change_is_told(change) &&
            sign * change->change > 0 &&
            (!first || sign * change->change > sign * first->changes[way].change))
            first = line;
    }
    return first;
}
