#include "variance/difference.h"

#include <math.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"

#define LEAST_KEPT 0.001 /* of either latency: less is narrower than a pixel */
#define LEAST_JUDGED 0.02

enum { MOST_KEPT = 1500 };

/* A pair is a node of either tree, or of both. */
struct pair {
    uint32_t parent; /* among the pairs */
    uint32_t first[2];
    uint32_t kept; /* its place among the kept nodes, or NODE_NONE */
    double part[DIFFERENCE_WAYS][2];
};

struct matching {
    const struct difference_side *sides;
    const struct shared_names *shared;
    struct pair *pairs;
    size_t pair_count, pair_capacity;
    uint32_t *pair_of[2]; /* by node of a side */
    struct intern keys;   /* of a pair: the key's number is the pair's */
};

static const struct variance_tree *tree_of(const struct matching *m, int side)
{
    return m->sides[side].side->tree;
}

/* ---- which nodes are one ---- */

static enum node_kind class_of(enum node_kind kind)
{
    return kind == NODE_CALL ? NODE_FUNCTION : kind;
}

/* The roots are one, whatever the two programs are called. */
static uint32_t find_pair(struct matching *m, int side, uint32_t node)
{
    const struct tree_node *of = &tree_of(m, side)->nodes[node];
    struct str key = {0};
    uint32_t parent = node ? m->pair_of[side][of->parent] : NODE_NONE;
    str_printf(&key, "%u %d %d ", parent, (int)class_of(of->kind), of->blamed);
    if (node)
        str_append(&key, shared_name(m->shared, of));
    uint32_t pair = intern_add(&m->keys, str_text(&key));
    str_release(&key);
    if (pair == m->pair_count)
        VEC_PUSH(m->pairs, m->pair_count, m->pair_capacity) =
            (struct pair){.parent = parent, .first = {NODE_NONE, NODE_NONE}, .kept = NODE_NONE};
    return pair;
}

static void add_side(struct matching *m, int side)
{
    const struct variance_tree *tree = tree_of(m, side);
    double mean = tree->intervals.mean_ns;
    m->pair_of[side] = memory_alloc(sizeof *m->pair_of[side] * tree->node_count);
    for (uint32_t n = 0; n < tree->node_count; n++) {
        uint32_t at = m->pair_of[side][n] = find_pair(m, side, n);
        struct pair *pair = &m->pairs[at];
        if (pair->first[side] == NODE_NONE)
            pair->first[side] = n;
        pair->part[DIFFERENCE_MEAN][side] += mean > 0 ? tree->nodes[n].mean_ns / mean : 0;
        pair->part[DIFFERENCE_VARIANCE][side] += tree->nodes[n].share;
    }
}

static double greatest_part(const struct pair *pair)
{
    double most = 0;
    for (int way = 0; way < DIFFERENCE_WAYS; way++)
        for (int s = 0; s < 2; s++)
            most = fmax(most, fabs(pair->part[way][s]));
    return most;
}

/* A parent is kept with its child. */
static uint32_t mark_kept(struct matching *m, double least)
{
    uint32_t count = 0;
    for (size_t p = 0; p < m->pair_count; p++) {
        struct pair *pair = &m->pairs[p];
        bool parent = p == 0 || m->pairs[pair->parent].kept != NODE_NONE;
        pair->kept = parent && (p == 0 || greatest_part(pair) >= least) ? count++ : NODE_NONE;
    }
    return count;
}

/* ---- the kept nodes ---- */

/* The own time of a function that calls nothing timed on one side is all of it there. */
static bool is_bare(const struct matching *m, const struct pair *pair, int side)
{
    const struct pair *parent = pair->parent != NODE_NONE ? &m->pairs[pair->parent] : NULL;
    const struct tree_node *nodes = tree_of(m, side)->nodes;
    return parent && pair->first[side] == NODE_NONE && parent->first[side] != NODE_NONE &&
           tree_of(m, !side)->nodes[pair->first[!side]].kind == NODE_BODY &&
           nodes[parent->first[side]].first_child == NODE_NONE;
}

static void fill_node(const struct matching *m, const struct pair *pair,
                      struct difference *difference)
{
    struct difference_node *node = &difference->nodes[pair->kept];
    int side = pair->first[1] != NODE_NONE; /* B's, as that is the source at hand */
    const struct tree_node *of = &tree_of(m, side)->nodes[pair->first[side]];
    *node = (struct difference_node){.kind = of->kind,
                                     .name = shared_name(m->shared, of),
                                     .file = of->file,
                                     .line = of->line,
                                     .parent = NODE_NONE,
                                     .blamed = of->blamed};
    if (pair->parent != NODE_NONE) {
        node->parent = m->pairs[pair->parent].kept;
        node->depth = difference->nodes[node->parent].depth + 1;
    }
    for (int s = 0; s < 2; s++) {
        const struct pair *from = is_bare(m, pair, s) ? &m->pairs[pair->parent] : pair;
        node->there[s] = from->first[s] != NODE_NONE;
        for (int way = 0; way < DIFFERENCE_WAYS; way++)
            node->part[way][s] = from->part[way][s];
    }
}

/* ---- what one side does not time ---- */

/* The function that one side does not time is the node's, and it is missing on that side alone. */
static const char *untimed(const struct matching *m, const struct pair *pair,
                           const struct timed_functions *timed)
{
    struct sample_side samples[2] = {*m->sides[0].side, *m->sides[1].side};
    for (int s = 0; s < 2; s++) {
        if (pair->first[s] != NODE_NONE)
            continue;
        const struct tree_node *of = &tree_of(m, !s)->nodes[pair->first[!s]];
        struct subject subject = {.kind = FACTOR_VARIANCE,
                                  .node_kinds = {class_of(of->kind)},
                                  .names = {shared_name(m->shared, of)},
                                  .plain = {of->plain},
                                  .shared = m->shared};
        bool function = class_of(of->kind) == NODE_FUNCTION;
        return function ? subject_blind(&subject, samples, s, timed) : NULL;
    }
    return NULL;
}

/* What stands beside such a function is blind, and what is below a blind node. */
static void find_blind(const struct matching *m, struct difference *difference,
                       const struct timed_functions *timed)
{
    const char **torn = memory_zeroed(sizeof *torn * difference->node_count); /* by parent */
    for (size_t p = 1; p < m->pair_count && timed->one_side; p++) {
        const struct pair *pair = &m->pairs[p];
        const char *name = pair->kept != NODE_NONE ? untimed(m, pair, timed) : NULL;
        if (name)
            torn[m->pairs[pair->parent].kept] = name;
    }
    for (uint32_t n = 1; n < difference->node_count; n++) {
        struct difference_node *node = &difference->nodes[n];
        node->blind =
            torn[node->parent] ? torn[node->parent] : difference->nodes[node->parent].blind;
    }
    memory_free(torn);
}

/* ---- changes ---- */

struct pair_sums {
    struct jackknife_sum of[DIFFERENCE_WAYS][2];
};

static void add_sums(const struct difference_side *side, int s, uint32_t node,
                     struct pair_sums *sums)
{
    node_blocks_mean(side->blocks, node, &sums->of[DIFFERENCE_MEAN][s]);
    node_blocks_covariance(side->blocks, node, &sums->of[DIFFERENCE_VARIANCE][s]);
}

static struct pair_sums *sum_kept(const struct matching *m, uint32_t count)
{
    struct pair_sums *sums = memory_zeroed(sizeof *sums * count);
    for (int s = 0; s < 2; s++)
        for (uint32_t n = 0; n < tree_of(m, s)->node_count; n++) {
            uint32_t kept = m->pairs[m->pair_of[s][n]].kept;
            if (kept != NODE_NONE)
                add_sums(&m->sides[s], s, n, &sums[kept]);
        }
    for (size_t p = 1; p < m->pair_count; p++)
        for (int s = 0; s < 2; s++)
            if (m->pairs[p].kept != NODE_NONE && is_bare(m, &m->pairs[p], s))
                add_sums(&m->sides[s], s, m->pairs[m->pairs[p].parent].first[s],
                         &sums[m->pairs[p].kept]);
    return sums;
}

static bool is_judged(const struct difference_node *node, enum difference_way way)
{
    return !node->blind && node->parent != NODE_NONE &&
           fmax(fabs(node->part[way][0]), fabs(node->part[way][1])) >= LEAST_JUDGED;
}

static const enum metric metric_of[] = {METRIC_MEAN, METRIC_VARIANCE};

static void fill_changes(struct difference *difference, const struct pair_sums *sums,
                         const struct jackknife_sum *latency, const struct change_rule *rule)
{
    for (uint32_t n = 0; n < difference->node_count; n++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++)
            difference->judged += is_judged(&difference->nodes[n], way);
    for (uint32_t n = 0; n < difference->node_count; n++)
        for (enum difference_way way = 0; way < DIFFERENCE_WAYS; way++) {
            struct difference_node *node = &difference->nodes[n];
            struct change_rule one = *rule;
            one.outside = is_judged(node, way) ? rule->outside / difference->judged : 0;
            change_judge(&node->changes[way], metric_of[way], sums[n].of[way], &latency[way], &one);
            node->changes[way].applies = !node->blind;
        }
}

void difference_make(struct difference *difference, const struct difference_side sides[2],
                     const struct timed_functions *timed, const struct shared_names *shared,
                     const struct jackknife_sum latency[DIFFERENCE_WAYS],
                     const struct change_rule *rule)
{
    struct matching m = {.sides = sides, .shared = shared};
    *difference = (struct difference){0};
    for (int s = 0; s < 2; s++)
        add_side(&m, s);
    double least = LEAST_KEPT;
    while ((difference->node_count = mark_kept(&m, least)) > MOST_KEPT)
        least *= 2;
    difference->left_out = (uint32_t)m.pair_count - difference->node_count;
    difference->nodes = memory_zeroed(sizeof *difference->nodes * difference->node_count);
    for (size_t p = 0; p < m.pair_count; p++)
        if (m.pairs[p].kept != NODE_NONE)
            fill_node(&m, &m.pairs[p], difference);
    find_blind(&m, difference, timed);
    struct pair_sums *sums = sum_kept(&m, difference->node_count);
    fill_changes(difference, sums, latency, rule);
    memory_free(sums);
    for (int s = 0; s < 2; s++)
        memory_free(m.pair_of[s]);
    memory_free(m.pairs);
    intern_release(&m.keys);
}

void difference_release(struct difference *difference)
{
    memory_free(difference->nodes);
    *difference = (struct difference){0};
}
