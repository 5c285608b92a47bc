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
    struct path_line own[JACKKNIFE_BLOCKS], waits[JACKKNIFE_BLOCKS];
    double most; /* the share of `node` */
};

struct drafting {
    struct root_ledger *ledger;
    struct variance_tree *tree;
    const struct block_sums *sums;
    struct leaf_owners owners;
    struct intern keys; /* of lines */
    struct draft *drafts;
    uint32_t draft_capacity, line_capacity;
    struct intern part_keys, way_keys;
    uint32_t *part_line, *way_line;       /* by number: whose they are */
    struct ledger_part *parts;            /* by number */
    struct ledger_way *ways;              /* the same */
    double *part_most;                    /* by part: the share of `waited` */
    uint32_t part_capacity, way_capacity; /* of all that is by number */
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
    if (number < d->ledger->count)
        return number;
    if (number == d->line_capacity) {
        d->line_capacity = 2 * number + 16;
        d->drafts = memory_resize(d->drafts, sizeof *d->drafts * d->line_capacity);
        d->ledger->lines =
            memory_resize(d->ledger->lines, sizeof *d->ledger->lines * d->line_capacity);
    }
    d->drafts[number] = (struct draft){.most = -INFINITY};
    d->ledger->lines[number] =
        (struct ledger_line){.kind = owner->kind, .name = owner->name, .function = owner->function};
    d->ledger->count++;
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
    str_printf(&key, "%u\n%s\n%s\n%s", line, text_or_none(part.in), text_or_none(part.type),
               text_or_none(part.thread));
    uint32_t before = (uint32_t)d->part_keys.count, number = intern_add(&d->part_keys, key.data);
    str_release(&key);
    if (number == before) {
        if (number == d->part_capacity) {
            d->part_capacity = 2 * number + 16;
            d->parts = memory_resize(d->parts, sizeof *d->parts * d->part_capacity);
            d->part_line = memory_resize(d->part_line, sizeof *d->part_line * d->part_capacity);
            d->part_most = memory_resize(d->part_most, sizeof *d->part_most * d->part_capacity);
        }
        d->parts[number] = part;
        d->part_line[number] = line;
        d->part_most[number] = -INFINITY;
        d->ledger->lines[line].part_count++;
    }
    const struct tree_node *node = &d->tree->nodes[leaf];
    add_moments(&d->parts[number].sums, &node->moments);
    if (node->share > d->part_most[number]) {
        d->part_most[number] = node->share;
        d->parts[number].waited = part.waited;
    }
}

static void add_way(struct drafting *d, uint32_t line, const struct leaf_owner *owner,
                    uint32_t leaf)
{
    const char *name = owner->through == NODE_NONE ? NULL : d->tree->nodes[owner->through].name;
    struct str key = {0};
    str_printf(&key, "%u\n%s", line, text_or_none(name));
    uint32_t before = (uint32_t)d->way_keys.count, number = intern_add(&d->way_keys, key.data);
    str_release(&key);
    if (number == before) {
        if (number == d->way_capacity) {
            d->way_capacity = 2 * number + 16;
            d->ways = memory_resize(d->ways, sizeof *d->ways * d->way_capacity);
            d->way_line = memory_resize(d->way_line, sizeof *d->way_line * d->way_capacity);
        }
        d->ways[number] = (struct ledger_way){.name = name};
        d->way_line[number] = line;
        d->ledger->lines[line].way_count++;
    }
    add_moments(&d->ways[number].sums, &d->tree->nodes[leaf].moments);
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
    struct ledger_line *line = &d->ledger->lines[number];
    struct draft *draft = &d->drafts[number];
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
    return order ? order : strcmp(text_or_none(s->thread), text_or_none(t->thread));
}

static int way_order(const void *a, const void *b)
{
    const struct ledger_way *s = a, *t = b;
    if (s->sums.share != t->sums.share)
        return s->sums.share > t->sums.share ? -1 : 1;
    return strcmp(text_or_none(s->name), text_or_none(t->name));
}

static int line_order(const void *a, const void *b, void *lines)
{
    const struct ledger_line *s = (const struct ledger_line *)lines + *(const uint32_t *)a;
    const struct ledger_line *t = (const struct ledger_line *)lines + *(const uint32_t *)b;
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
    struct ledger_line *lines = d->ledger->lines;
    for (uint32_t i = 0; i < d->ledger->count; i++) {
        lines[i].parts = ARENA_ARRAY(&d->tree->arena, struct ledger_part, lines[i].part_count);
        lines[i].ways = ARENA_ARRAY(&d->tree->arena, struct ledger_way, lines[i].way_count);
        lines[i].part_count = lines[i].way_count = 0;
    }
    for (uint32_t p = 0; p < d->part_keys.count; p++) {
        struct ledger_line *line = &lines[d->part_line[p]];
        set_shares(d->tree, &d->parts[p].sums);
        line->parts[line->part_count++] = d->parts[p];
    }
    for (uint32_t w = 0; w < d->way_keys.count; w++) {
        struct ledger_line *line = &lines[d->way_line[w]];
        set_shares(d->tree, &d->ways[w].sums);
        line->ways[line->way_count++] = d->ways[w];
    }
}

static void finish_line(const struct drafting *d, uint32_t number,
                        const struct jackknife_sum *whole)
{
    struct ledger_line *line = &d->ledger->lines[number];
    const struct draft *draft = &d->drafts[number];
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
static void sort_lines(struct drafting *d)
{
    struct root_ledger *ledger = d->ledger;
    struct ledger_line *made = ledger->lines;
    uint32_t *order = memory_alloc(sizeof *order * ledger->count);
    uint32_t *place = memory_alloc(sizeof *place * ledger->count);
    for (uint32_t i = 0; i < ledger->count; i++)
        order[i] = i;
    if (ledger->count)
        qsort_r(order, ledger->count, sizeof *order, line_order, made);
    ledger->lines = ARENA_ARRAY(&d->tree->arena, struct ledger_line, ledger->count);
    for (uint32_t i = 0; i < ledger->count; i++) {
        ledger->lines[i] = made[order[i]];
        place[order[i]] = i;
    }
    for (uint32_t n = 0; n < d->tree->node_count; n++) {
        struct tree_node *node = &d->tree->nodes[n];
        node->owner = node->first_child == NODE_NONE ? place[node->owner] : NODE_NONE;
    }
    memory_free(made);
    memory_free(order);
    memory_free(place);
}

static void finish(struct drafting *d)
{
    struct root_ledger *ledger = d->ledger;
    struct jackknife_sum whole = {0};
    block_sums_variance(d->sums, d->tree, 0, 1, &whole);
    take_parts(d);
    for (uint32_t i = 0; i < ledger->count; i++)
        finish_line(d, i, &whole);
    sort_lines(d);
}

void root_ledger_build(struct root_ledger *ledger, struct variance_tree *tree,
                       const struct block_sums *sums, const struct function_table *functions)
{
    struct drafting d = {.ledger = ledger, .tree = tree, .sums = sums};
    *ledger = (struct root_ledger){0};
    leaf_owners_init(&d.owners, tree, functions);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].first_child == NODE_NONE)
            add_leaf(&d, n);
    finish(&d);
    leaf_owners_release(&d.owners);
    intern_release(&d.keys);
    intern_release(&d.part_keys);
    intern_release(&d.way_keys);
    memory_free(d.drafts);
    memory_free(d.parts);
    memory_free(d.part_line);
    memory_free(d.part_most);
    memory_free(d.ways);
    memory_free(d.way_line);
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
