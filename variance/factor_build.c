#include "variance/factor_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "stats/jackknife.h"
#include "stats/wide.h"
#include "variance/factor_variance.h"
#include "variance/tree_shape.h"

/* An occurrence of a factor in the tree that counts. */
struct occurrence {
    uint32_t draft;
    uint32_t a, b; /* nodes; b is NODE_NONE for a variance */
    uint32_t pair; /* covariance, or NODE_NONE */
};

/* A factor in the making: what nodes (or pairs of nodes) of the same key have in common. */
struct draft {
    uint32_t keys[2]; /* keys[1] is INTERN_NONE for a variance */
    uint32_t occurrences;
};

struct drafting {
    const struct variance_tree *tree;
    const struct block_sums *sums;
    struct intern keys;
    uint32_t *key_of;       /* by node; INTERN_NONE: no factor */
    uint32_t *own_key_of;   /* by leaf: of its function's body, if that has one elsewhere */
    struct hash_map drafts; /* pair of keys -> draft + 1 */
    struct hash_map above;  /* pair of keys -> how often it occurs on the path at hand */
    struct draft *items;
    uint32_t count, capacity;
    struct factor_sites *sites_of; /* by key: of its variance */
    struct occurrence *occurrences;
    uint32_t occurrence_count, occurrence_capacity;
    struct jackknife_sum whole; /* the variance of the latency */
    /* The covariance of each node with the latency is worked out when it is asked for. */
    struct jackknife_sum *with_latency;
    bool *has_latency;
};

/* A function and a call of it have one key, anything else one for its kind. */
static uint32_t node_key(struct drafting *d, uint32_t index)
{
    const struct tree_node *node = &d->tree->nodes[index];
    bool cause = wait_kind_is_cause(node->wait);
    if (node->kind == NODE_BODY)
        cause = wait_kind_is_for_processor(d->tree->nodes[node->parent].wait);
    if (node->kind == NODE_INTERVAL || node->kind == NODE_PROBES || node->blamed || cause)
        return INTERN_NONE;
    struct str text = {0};
    site_sums_key(node->kind, node->name, &text);
    uint32_t key = intern_add(&d->keys, text.data);
    str_release(&text);
    return key;
}

static uint32_t own_key(struct drafting *d, uint32_t index)
{
    const struct tree_node *node = &d->tree->nodes[index];
    if (d->key_of[index] == INTERN_NONE || node->first_child != NODE_NONE ||
        node_kind_of_call(node->kind) != NODE_CALL)
        return INTERN_NONE;
    struct str name = {0}, text = {0};
    str_printf(&name, "%s [body]", node->name);
    site_sums_key(NODE_BODY, name.data, &text);
    uint32_t key = intern_find(&d->keys, text.data);
    str_release(&name);
    str_release(&text);
    return key;
}

static uint64_t key_pair(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void note_occurrence(struct drafting *d, uint32_t key_a, uint32_t key_b, uint32_t a,
                            uint32_t b, uint32_t pair)
{
    const uint64_t *above = hash_map_get(&d->above, key_pair(key_a, key_b));
    if (above && *above)
        return;
    uint64_t *known = hash_map_put(&d->drafts, key_pair(key_a, key_b));
    if (!*known) {
        VEC_PUSH(d->items, d->count, d->capacity) = (struct draft){.keys = {key_a, key_b}};
        *known = d->count;
    }
    struct occurrence occurrence = {(uint32_t)(*known - 1), a, b, pair};
    d->items[occurrence.draft].occurrences++;
    VEC_PUSH(d->occurrences, d->occurrence_count, d->occurrence_capacity) = occurrence;
}

/* The path goes down into (by = 1), or comes up out of (by = -1), `node`: it and its pairs with
 * its siblings are above what follows. */
static void step_over(struct drafting *d, uint32_t node, int by)
{
    const struct tree_node *nodes = d->tree->nodes;
    uint32_t key = d->key_of[node];
    if (key == INTERN_NONE)
        return;
    *hash_map_put(&d->above, key_pair(key, INTERN_NONE)) += (uint64_t)by;
    for (uint32_t s = nodes[nodes[node].parent].first_child; s != NODE_NONE;
         s = nodes[s].next_sibling)
        if (s != node && d->key_of[s] != INTERN_NONE)
            *hash_map_put(&d->above, key_pair(key, d->key_of[s])) += (uint64_t)by;
}

/* The occurrences are `node` and the pairs of its children; of two of one name, the function's
 * variance tells. */
static void visit(struct drafting *d, uint32_t node)
{
    const struct tree_node *nodes = d->tree->nodes;
    if (d->key_of[node] != INTERN_NONE)
        note_occurrence(d, d->key_of[node], INTERN_NONE, node, NODE_NONE, NODE_NONE);
    if (d->own_key_of[node] != INTERN_NONE)
        note_occurrence(d, d->own_key_of[node], INTERN_NONE, node, NODE_NONE, NODE_NONE);
    step_over(d, node, 1);
    uint32_t pair = d->sums->first_pair[node];
    for (uint32_t a = nodes[node].first_child; a != NODE_NONE; a = nodes[a].next_sibling)
        for (uint32_t b = nodes[a].next_sibling; b != NODE_NONE; b = nodes[b].next_sibling, pair++)
            if (d->sums->pair_slot[pair] != NODE_NONE && d->key_of[a] != d->key_of[b] &&
                d->key_of[a] != INTERN_NONE && d->key_of[b] != INTERN_NONE)
                note_occurrence(d, d->key_of[a], d->key_of[b], a, b, pair);
}

/* Depth first, so that `above` is the path. */
static void visit_all(struct drafting *d)
{
    const struct tree_node *nodes = d->tree->nodes;
    uint32_t node = 0;
    visit(d, node);
    for (;;) {
        if (nodes[node].first_child != NODE_NONE && !nodes[node].blamed) {
            node = nodes[node].first_child;
        } else {
            while (node != 0 && nodes[node].next_sibling == NODE_NONE) {
                step_over(d, node, -1);
                node = nodes[node].parent;
            }
            if (node == 0)
                return;
            step_over(d, node, -1);
            node = nodes[node].next_sibling;
        }
        visit(d, node);
    }
}

static void add_with_latency(const struct drafting *d, uint32_t node, struct jackknife_sum *sum)
{
    struct jackknife_sum *of_node = &d->with_latency[node];
    if (!d->has_latency[node])
        block_sums_with_latency(d->sums, d->tree, node, 1, of_node);
    d->has_latency[node] = true;
    sum->all += of_node->all;
    for (uint32_t b = 0; b < d->sums->block_count; b++)
        sum->left_out[b] += of_node->left_out[b];
}

static void factor_confidence(const struct drafting *d, struct factor *factor,
                              const struct jackknife_sum *part)
{
    struct jackknife_sum with_latency = {0};
    for (uint32_t i = 0; i < factor->site_count; i++) {
        const struct factor_site *site = &factor->sites[i];
        add_with_latency(d, site->a, &with_latency);
        if (site->b != NODE_NONE)
            add_with_latency(d, site->b, &with_latency);
    }
    jackknife_ratio_interval(part, &d->whole, d->sums->block_count, factor->ci95);
    jackknife_ratio_interval(&with_latency, &d->whole, d->sums->block_count, factor->share_ci95);
}

static int site_order(const void *a, const void *b)
{
    const struct factor_site *s = a, *t = b;
    if (s->contribution != t->contribution)
        return s->contribution > t->contribution ? -1 : 1;
    return s->a != t->a ? (s->a < t->a ? -1 : 1) : s->b < t->b ? -1 : s->b > t->b;
}

static void add_node(const struct drafting *d, struct factor *factor, uint32_t index)
{
    const struct tree_node *node = &d->tree->nodes[index];
    factor->share += node->share;
    factor->tail_share += node->tail_share;
    factor->height = node->height > factor->height ? node->height : factor->height;
}

static void add_site(const struct drafting *d, struct factor *factor, const struct occurrence *o)
{
    struct factor_site *site = &factor->sites[factor->site_count++];
    *site = (struct factor_site){.a = o->a, .b = o->b};
    site->contribution = o->pair == NODE_NONE ? d->tree->nodes[o->a].contribution
                                              : d->tree->covariances[o->pair].contribution;
    add_node(d, factor, o->a);
    if (o->b != NODE_NONE)
        add_node(d, factor, o->b);
}

/* A leaf of a function whose bodies are the factor. */
static bool is_bare(const struct drafting *d, const struct occurrence *o)
{
    return o->b == NODE_NONE && d->key_of[o->a] != d->items[o->draft].keys[0];
}

static void set_contribution(const struct drafting *d, struct factor *factor)
{
    struct jackknife_sum part = {0};
    factor->contribution = factor_contribution(factor, d->tree, d->sums, &d->whole);
    factor_add_variance(factor, d->tree, d->sums, 1, &part);
    factor_confidence(d, factor, &part);
}

/* A factor has the name of the first of its sorted sites. */
static void name_factor(const struct drafting *d, struct factor *factor)
{
    const struct factor_site *first = &factor->sites[0];
    const char *a = d->tree->nodes[first->a].name;
    const char *b = first->b == NODE_NONE ? NULL : d->tree->nodes[first->b].name;
    bool swap = b && strcmp(a, b) > 0;
    factor->kind = b ? FACTOR_COVARIANCE : FACTOR_VARIANCE;
    factor->names[0] = swap ? b : a;
    factor->names[1] = swap ? a : b;
}

/* Bodies first, then leaves. */
static void add_sites(const struct drafting *d, struct factor *factor,
                      const struct occurrence *const *sites, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_bare(d, sites[i]))
            add_site(d, factor, sites[i]);
    uint32_t named = factor->site_count;
    for (uint32_t i = 0; i < count; i++)
        if (is_bare(d, sites[i]))
            add_site(d, factor, sites[i]);
    factor->leaf_count = count - named;
    qsort(factor->sites, named, sizeof *factor->sites, site_order);
    qsort(factor->sites + named, count - named, sizeof *factor->sites, site_order);
}

/* The numbers of a function, or of a pair, are made of these beyond its sites. */
static void find_others(const struct drafting *d, struct factor *factor, const uint32_t keys[2])
{
    factor->column = INTERN_NONE;
    if (factor->kind == FACTOR_COVARIANCE) {
        bool swap = d->key_of[factor->sites[0].a] != keys[0];
        factor->of[swap] = d->sites_of[keys[0]];
        factor->of[!swap] = d->sites_of[keys[1]];
        return;
    }
    d->sites_of[keys[0]] = (struct factor_sites){factor->sites, factor->site_count};
    if (factor->site_count > 1)
        factor->column = site_sums_find_key(&d->sums->sites, d->keys.text[keys[0]]);
}

static void make_factor(const struct drafting *d, struct factor *factor,
                        const struct occurrence *const *sites, uint32_t count, struct arena *arena)
{
    *factor = (struct factor){.sites = ARENA_ARRAY(arena, struct factor_site, count)};
    add_sites(d, factor, sites, count);
    name_factor(d, factor);
    find_others(d, factor, d->items[sites[0]->draft].keys);
    factor->names[0] = arena_strdup(arena, factor->names[0]);
    factor->names[1] = factor->names[1] ? arena_strdup(arena, factor->names[1]) : NULL;
    set_contribution(d, factor);
    double above = (double)d->tree->graph_height - (double)factor->height;
    factor->specificity = above * above;
    factor->score = factor->specificity * factor->contribution;
}

static int number_order(double a, double b) /* the greater first */
{
    return a > b ? -1 : a < b;
}

static int factor_order(const void *a, const void *b)
{
    const struct factor *s = a, *t = b;
    if ((s->contribution > 0) != (t->contribution > 0))
        return s->contribution > 0 ? -1 : 1;
    int order = number_order(s->score, t->score);
    if (!order)
        order = number_order(s->contribution, t->contribution);
    if (!order)
        order = strcmp(s->names[0], t->names[0]);
    if (!order)
        order = strcmp(s->names[1] ? s->names[1] : "", t->names[1] ? t->names[1] : "");
    return order ? order : number_order(t->sites[0].a, s->sites[0].a);
}

/* The occurrences of draft i stand one after the other: from[i] .. from[i + 1] - 1. */
static const struct occurrence **group(const struct drafting *d, uint32_t *from)
{
    const struct occurrence **sites = memory_alloc(sizeof *sites * d->occurrence_count);
    for (uint32_t i = 0; i < d->count; i++)
        from[i + 1] = from[i] + d->items[i].occurrences;
    uint32_t *fill = memory_alloc(sizeof *fill * ((size_t)d->count + 1));
    memcpy(fill, from, sizeof *fill * ((size_t)d->count + 1));
    for (uint32_t i = 0; i < d->occurrence_count; i++)
        sites[fill[d->occurrences[i].draft]++] = &d->occurrences[i];
    memory_free(fill);
    return sites;
}

/* Functions first: pairs are told of all sites of theirs. */
static void make_factors(const struct drafting *d, struct factor_list *list)
{
    uint32_t *from = memory_zeroed(sizeof *from * ((size_t)d->count + 1));
    const struct occurrence **sites = group(d, from);
    list->factors = ARENA_ARRAY(&list->arena, struct factor, d->count);
    for (int pairs = 0; pairs < 2; pairs++)
        for (uint32_t i = 0; i < d->count; i++) {
            struct factor *factor = &list->factors[list->count];
            if ((d->items[i].keys[1] != INTERN_NONE) != pairs)
                continue;
            make_factor(d, factor, sites + from[i], from[i + 1] - from[i], &list->arena);
            list->count += factor->contribution != 0;
        }
    memory_free(sites);
    memory_free(from);
    qsort(list->factors, list->count, sizeof *list->factors, factor_order);
    for (uint32_t i = 0; i < list->count; i++)
        list->factors[i].rank = i + 1;
}

void factor_list_build(struct factor_list *list, const struct variance_tree *tree,
                       const struct block_sums *sums)
{
    struct drafting d = {.tree = tree, .sums = sums};
    *list = (struct factor_list){0};
    block_sums_variance(sums, tree, 0, 1, &d.whole);
    list->steady = jackknife_differs(&d.whole, sums->block_count);
    d.key_of = memory_alloc(sizeof *d.key_of * tree->node_count);
    d.own_key_of = memory_alloc(sizeof *d.own_key_of * tree->node_count);
    d.with_latency = memory_zeroed(sizeof *d.with_latency * tree->node_count);
    d.has_latency = memory_zeroed(sizeof *d.has_latency * tree->node_count);
    for (uint32_t i = 0; i < tree->node_count; i++)
        d.key_of[i] = node_key(&d, i);
    for (uint32_t i = 0; i < tree->node_count; i++)
        d.own_key_of[i] = own_key(&d, i);
    d.sites_of = memory_zeroed(sizeof *d.sites_of * d.keys.count);
    visit_all(&d);
    make_factors(&d, list);
    intern_release(&d.keys);
    hash_map_release(&d.drafts);
    hash_map_release(&d.above);
    memory_free(d.sites_of);
    memory_free(d.key_of);
    memory_free(d.own_key_of);
    memory_free(d.with_latency);
    memory_free(d.has_latency);
    memory_free(d.items);
    memory_free(d.occurrences);
}
