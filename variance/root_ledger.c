#include "variance/root_ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "stats/exact_moments.h"
#include "stats/jackknife.h"
#include "stats/wide.h"
#include "variance/block_sums.h"

/* A line in the making has its sums by block: what it did in the intervals, and what they waited
 * for. */
struct draft {
    struct ledger_line line;
    struct path_line own[JACKKNIFE_BLOCKS], waits[JACKKNIFE_BLOCKS];
    double most; /* the share of its node */
};

/* A part, and a way, in the making know the line that they are of. */
struct draft_part {
    struct ledger_part part;
    uint32_t line;
    double most; /* the share of what it was waited for in */
};

struct draft_way {
    struct ledger_way way;
    uint32_t line;
};

/* All are numbered as their keys are. */
struct drafting {
    struct variance_tree *tree;
    const struct block_sums *sums;
    struct leaf_owners owners;
    struct intern keys, part_keys, way_keys;
    struct draft *drafts;
    struct draft_part *parts;
    struct draft_way *ways;
    uint32_t draft_count, draft_capacity, part_count, part_capacity, way_count, way_capacity;
};

static void add_moments(struct ledger_sums *sums, const struct moments *m)
{
    sums->sum += m->sum;
    sums->latency += m->latency;
    sums->tail += m->tail;
}

/* ---- which line, part and way a leaf belongs to ---- */

static uint32_t line_of(struct drafting *d, const struct leaf_owner *owner)
{
    struct str key = {0};
    if (owner->kind == OWNER_FUNCTION)
        str_printf(&key, "%u", owner->function);
    else
        str_printf(&key, "%d %s", (int)owner->kind, owner->name);
    uint32_t number = intern_add(&d->keys, key.data);
    str_release(&key);
    if (number == d->draft_count)
        VEC_PUSH(d->drafts, d->draft_count, d->draft_capacity) = (struct draft){
            .line = {.kind = owner->kind, .name = owner->name, .function = owner->function},
            .most = -INFINITY};
    return number;
}

/* The other interval that the owner was at work for, or NULL. */
static const char *other_interval(const struct drafting *d, uint32_t leaf)
{
    uint32_t context = d->owners.ways[leaf].context;
    const struct tree_node *node = &d->tree->nodes[context];
    return node->kind == NODE_FOR_ANOTHER ? node->name : NULL;
}

static struct ledger_part part_of(const struct drafting *d, const struct leaf_owner *owner,
                                  uint32_t leaf)
{
    struct ledger_part part = {.waited = owner->waited};
    part.taker = owner->taker == NODE_NONE ? NULL : d->tree->nodes[owner->taker].name;
    if (!owner->waited)
        return part;
    part.in = d->tree->nodes[owner->waited].name;
    part.type = other_interval(d, leaf);
    const char *thread = owner->thread == NODE_NONE ? NULL : d->tree->nodes[owner->thread].name;
    part.thread = thread && strcmp(thread, owner->name) != 0 ? thread : NULL;
    return part;
}

static const char *text_or_none(const char *text)
{
    return text ? text : "";
}

static void add_part(struct drafting *d, uint32_t line, const struct leaf_owner *owner,
                     uint32_t leaf)
{
    struct ledger_part part = part_of(d, owner, leaf);
    struct str key = {0};
    str_printf(&key, "%u\n%s\n%s\n%s\n%s", line, text_or_none(part.in), text_or_none(part.type),
               text_or_none(part.thread), text_or_none(part.taker));
    uint32_t number = intern_add(&d->part_keys, key.data);
    str_release(&key);
    if (number == d->part_count) {
        VEC_PUSH(d->parts, d->part_count, d->part_capacity) =
            (struct draft_part){part, line, -INFINITY};
        d->drafts[line].line.part_count++;
    }
    const struct tree_node *node = &d->tree->nodes[leaf];
    struct draft_part *draft = &d->parts[number];
    add_moments(&draft->part.sums, &node->moments);
    if (node->share > draft->most) {
        draft->most = node->share;
        draft->part.waited = part.waited;
    }
}

static void add_way(struct drafting *d, uint32_t line, const struct leaf_owner *owner,
                    uint32_t leaf)
{
    const char *name = owner->through == NODE_NONE ? NULL : d->tree->nodes[owner->through].name;
    struct str key = {0};
    str_printf(&key, "%u\n%s", line, text_or_none(name));
    uint32_t number = intern_add(&d->way_keys, key.data);
    str_release(&key);
    if (number == d->way_count) {
        struct ledger_way way = {.name = name};
        way.waits = name && !node_kind_is_callable(d->tree->nodes[owner->through].kind);
        VEC_PUSH(d->ways, d->way_count, d->way_capacity) = (struct draft_way){way, line};
        d->drafts[line].line.way_count++;
    }
    add_moments(&d->ways[number].way.sums, &d->tree->nodes[leaf].moments);
}

static void add_blocks(struct path_line *to, const struct path_line *from)
{
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++) {
        to[b].sum += from[b].sum;
        to[b].latency += from[b].latency;
    }
}

static void add_leaf(struct drafting *d, uint32_t leaf)
{
    const struct tree_node *node = &d->tree->nodes[leaf];
    struct leaf_owner owner = leaf_owner_of(&d->owners, leaf);
    uint32_t number = line_of(d, &owner);
    d->tree->nodes[leaf].owner = number;
    struct draft *draft = &d->drafts[number];
    struct ledger_line *line = &draft->line;
    line->leaves++;
    add_moments(&line->all, &node->moments);
    add_moments(owner.waited ? &line->waits : &line->own, &node->moments);
    if (owner.unseen)
        add_moments(&line->unseen, &node->moments);
    add_blocks(owner.waited ? draft->waits : draft->own, leaf_sums_at(&d->sums->leaves, leaf));
    if (node->share > draft->most) {
        draft->most = node->share;
        line->node = owner.node;
    }
    add_part(d, number, &owner, leaf);
    add_way(d, number, &owner, leaf);
}

/* ---- what the sums are worth ---- */

static void set_shares(const struct variance_tree *tree, struct ledger_sums *sums)
{
    uint64_t n = tree->intervals.count, slow = tree->intervals.tail_count;
    const struct moments *root = &tree->nodes[0].moments;
    struct wide whole = wide_spread(n, root->sum, root->sum, root->square);
    struct wide slower = wide_spread(n, root->sum, slow, root->tail);
    sums->share = wide_ratio(wide_spread(n, sums->sum, root->sum, sums->latency), whole);
    sums->tail_share = wide_ratio(wide_spread(n, sums->sum, slow, sums->tail), slower);
}

static void set_interval(const struct drafting *d, const struct ledger_sums *all,
                         const struct path_line *own, const struct path_line *waits,
                         const struct jackknife_sum *whole, double ci95[2])
{
    const struct block_sums *sums = d->sums;
    uint64_t n = d->tree->intervals.count;
    __int128 root = d->tree->nodes[0].moments.sum;
    struct jackknife_sum part = {.all = exact_covariance(n, all->sum, root, all->latency)};
    for (uint32_t b = 0; b < sums->block_count; b++) {
        __int128 sum = (own ? own[b].sum : 0) + (waits ? waits[b].sum : 0);
        __int128 latency = (own ? own[b].latency : 0) + (waits ? waits[b].latency : 0);
        part.left_out[b] =
            exact_covariance(n - sums->intervals[b], all->sum - sum,
                             root - block_sums_sum(sums, 0, b), all->latency - latency);
    }
    jackknife_ratio_interval(&part, whole, sums->block_count, ci95);
}

static void set_place(const struct drafting *d, struct ledger_line *line)
{
    const struct tree_node *node = &d->tree->nodes[line->node];
    line->file = node->file ? node->file : "";
    line->line = node->line;
    if (line->function == FUNCTION_NONE || line->function == node->function)
        return;
    line->file = d->owners.functions->functions[line->function].file;
    line->line = d->owners.functions->functions[line->function].line;
}

static int part_order(const void *a, const void *b)
{
    const struct ledger_part *s = a, *t = b;
    if (s->sums.share != t->sums.share)
        return s->sums.share > t->sums.share ? -1 : 1;
    int order = strcmp(text_or_none(s->in), text_or_none(t->in));
    if (!order)
        order = strcmp(text_or_none(s->type), text_or_none(t->type));
    if (!order)
        order = strcmp(text_or_none(s->thread), text_or_none(t->thread));
    return order ? order : strcmp(text_or_none(s->taker), text_or_none(t->taker));
}

static int way_order(const void *a, const void *b)
{
    const struct ledger_way *s = a, *t = b;
    if (s->sums.share != t->sums.share)
        return s->sums.share > t->sums.share ? -1 : 1;
    return strcmp(text_or_none(s->name), text_or_none(t->name));
}

static int line_order(const void *a, const void *b, void *drafts)
{
    const struct ledger_line *s = &((const struct draft *)drafts)[*(const uint32_t *)a].line;
    const struct ledger_line *t = &((const struct draft *)drafts)[*(const uint32_t *)b].line;
    if (s->all.share != t->all.share)
        return s->all.share > t->all.share ? -1 : 1;
    int names = strcmp(s->name, t->name);
    if (names)
        return names;
    return s->node < t->node ? -1 : s->node > t->node;
}

/* The parts and ways of a line stand side by side in the arena. */
static void take_parts(struct drafting *d)
{
    for (uint32_t i = 0; i < d->draft_count; i++) {
        struct ledger_line *line = &d->drafts[i].line;
        line->parts = ARENA_ARRAY(&d->tree->arena, struct ledger_part, line->part_count);
        line->ways = ARENA_ARRAY(&d->tree->arena, struct ledger_way, line->way_count);
        line->part_count = line->way_count = 0;
    }
    for (uint32_t p = 0; p < d->part_count; p++) {
        struct ledger_line *line = &d->drafts[d->parts[p].line].line;
        set_shares(d->tree, &d->parts[p].part.sums);
        line->parts[line->part_count++] = d->parts[p].part;
    }
    for (uint32_t w = 0; w < d->way_count; w++) {
        struct ledger_line *line = &d->drafts[d->ways[w].line].line;
        set_shares(d->tree, &d->ways[w].way.sums);
        line->ways[line->way_count++] = d->ways[w].way;
    }
}

static void finish_line(const struct drafting *d, struct draft *draft,
                        const struct jackknife_sum *whole)
{
    struct ledger_line *line = &draft->line;
    set_shares(d->tree, &line->all);
    set_shares(d->tree, &line->own);
    set_shares(d->tree, &line->waits);
    set_shares(d->tree, &line->unseen);
    set_interval(d, &line->all, draft->own, draft->waits, whole, line->ci95);
    set_interval(d, &line->own, draft->own, NULL, whole, line->own_ci95);
    set_interval(d, &line->waits, NULL, draft->waits, whole, line->waits_ci95);
    set_place(d, line);
    qsort(line->parts, line->part_count, sizeof *line->parts, part_order);
    qsort(line->ways, line->way_count, sizeof *line->ways, way_order);
}

/* The lines go to the arena, the largest first, and leaves are told where theirs is. */
static void sort_lines(struct drafting *d, struct root_ledger *ledger)
{
    uint32_t *order = memory_alloc(sizeof *order * d->draft_count);
    uint32_t *place = memory_alloc(sizeof *place * d->draft_count);
    for (uint32_t i = 0; i < d->draft_count; i++)
        order[i] = i;
    if (d->draft_count)
        qsort_r(order, d->draft_count, sizeof *order, line_order, d->drafts);
    ledger->count = d->draft_count;
    ledger->lines = ARENA_ARRAY(&d->tree->arena, struct ledger_line, ledger->count);
    for (uint32_t i = 0; i < ledger->count; i++) {
        ledger->lines[i] = d->drafts[order[i]].line;
        place[order[i]] = i;
    }
    for (uint32_t n = 0; n < d->tree->node_count; n++) {
        struct tree_node *node = &d->tree->nodes[n];
        node->owner = node->first_child == NODE_NONE ? place[node->owner] : NODE_NONE;
    }
    memory_free(order);
    memory_free(place);
}

static void finish(struct drafting *d, struct root_ledger *ledger)
{
    struct jackknife_sum whole = {0};
    block_sums_variance(d->sums, d->tree, 0, 1, &whole);
    take_parts(d);
    for (uint32_t i = 0; i < d->draft_count; i++)
        finish_line(d, &d->drafts[i], &whole);
    sort_lines(d, ledger);
}

void root_ledger_build(struct root_ledger *ledger, struct variance_tree *tree,
                       const struct block_sums *sums, const struct function_table *functions)
{
    struct drafting d = {.tree = tree, .sums = sums};
    leaf_owners_init(&d.owners, tree, functions);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].first_child == NODE_NONE)
            add_leaf(&d, n);
    finish(&d, ledger);
    leaf_owners_release(&d.owners);
    intern_release(&d.keys);
    intern_release(&d.part_keys);
    intern_release(&d.way_keys);
    memory_free(d.drafts);
    memory_free(d.parts);
    memory_free(d.ways);
}

/* ---- the law ---- */

static void add_sums(struct ledger_sums *to, const struct ledger_sums *from)
{
    to->sum += from->sum;
    to->latency += from->latency;
    to->tail += from->tail;
}

static bool sums_equal(const struct ledger_sums *a, const struct ledger_sums *b)
{
    return a->sum == b->sum && a->latency == b->latency && a->tail == b->tail;
}

static bool line_adds_up(const struct ledger_line *line)
{
    struct ledger_sums sides = {0}, parts = {0}, ways = {0};
    add_sums(&sides, &line->own);
    add_sums(&sides, &line->waits);
    for (uint32_t i = 0; i < line->part_count; i++)
        add_sums(&parts, &line->parts[i].sums);
    for (uint32_t i = 0; i < line->way_count; i++)
        add_sums(&ways, &line->ways[i].sums);
    return sums_equal(&sides, &line->all) && sums_equal(&parts, &line->all) &&
           sums_equal(&ways, &line->all);
}

const char *root_ledger_check(const struct root_ledger *ledger, const struct variance_tree *tree)
{
    const struct moments *root = &tree->nodes[0].moments;
    struct ledger_sums all = {0}, latency = {root->sum, root->latency, root->tail, 0, 0};
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (!line_adds_up(&ledger->lines[i]))
            return "the parts of a line of the root ledger do not add up to it";
        add_sums(&all, &ledger->lines[i].all);
    }
    return sums_equal(&all, &latency) ? NULL : "the root ledger does not add up to the latency";
}
