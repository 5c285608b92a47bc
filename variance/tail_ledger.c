#include "variance/tail_ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "stats/exact_moments.h"
#include "stats/wide.h"

/* A node may be the owner of its leaves. */
struct owner {
    uint32_t of; /* who owns the node's own time */
    bool owns;
    bool parts_below;
    __int128 sum, tail;
};

static bool belongs_to_parent(const struct tree_node *node)
{
    bool own = node->kind == NODE_BODY || node->kind == NODE_WAIT || node->kind == NODE_IO;
    return node->blamed || (own && node->parent != 0);
}

static struct owner *find_owners(const struct variance_tree *tree)
{
    struct owner *owners = memory_zeroed(sizeof *owners * tree->node_count);
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        bool parents = n > 0 && belongs_to_parent(node);
        owners[n].of = parents ? owners[node->parent].of : n;
        if (n > 0 && !parents)
            owners[owners[node->parent].of].parts_below = true;
        if (node->first_child != NODE_NONE)
            continue;
        struct owner *owner = &owners[owners[n].of];
        owner->owns = true;
        owner->sum += node->moments.sum;
        owner->tail += node->moments.tail;
    }
    return owners;
}

/* The slow intervals are slower by so much, ns. */
static double slower(const struct variance_tree *tree, __int128 sum, __int128 tail)
{
    return exact_mean(tree->intervals.tail_count, tail) - exact_mean(tree->intervals.count, sum);
}

static const char *part_name(struct variance_tree *tree, uint32_t node, const struct owner *owner)
{
    const char *name = tree->nodes[node].name;
    bool body = owner->parts_below && tree->nodes[node].kind != NODE_INTERVAL;
    return body ? arena_printf(&tree->arena, "%s [body]", name) : name;
}

/* All nodes that make one part have one number. */
static uint32_t part_number(struct intern *names, const struct tree_node *node, const char *name)
{
    struct str key = {0};
    str_printf(&key, "%d %s", node->kind == NODE_FUNCTION ? NODE_CALL : node->kind, name);
    uint32_t number = intern_add(names, key.data);
    str_release(&key);
    return number;
}

static void add_owner(struct tail_ledger *ledger, struct variance_tree *tree, uint32_t node,
                      const struct owner *owner, struct intern *names)
{
    const char *name = part_name(tree, node, owner);
    struct tail_part *part = &ledger->parts[part_number(names, &tree->nodes[node], name)];
    double most = part->places ? slower(tree, part->sum, part->tail) : -INFINITY;
    if (fabs(slower(tree, owner->sum, owner->tail)) >= fabs(most) || !part->places) {
        part->name = name;
        part->node = node;
    }
    part->sum += owner->sum;
    part->tail += owner->tail;
    part->places++;
}

/* The parts stand by size, either way. */
static int part_order(const void *a, const void *b)
{
    const struct tail_part *s = a, *t = b;
    double x = fabs(s->share), y = fabs(t->share);
    return x != y ? (x < y ? 1 : -1) : strcmp(s->name, t->name);
}

static void set_shares(struct tail_ledger *ledger, const struct variance_tree *tree)
{
    uint64_t n = tree->intervals.count, tail = tree->intervals.tail_count;
    const struct moments *root = &tree->nodes[0].moments;
    struct wide whole = wide_spread(n, root->sum, tail, root->tail);
    for (uint32_t i = 0; i < ledger->count; i++) {
        struct tail_part *part = &ledger->parts[i];
        part->share = wide_ratio(wide_spread(n, part->sum, tail, part->tail), whole);
    }
}

/* The total after some parts is what these take of a slow interval and the others of a mean one. */
static void set_steps(struct tail_ledger *ledger, const struct variance_tree *tree)
{
    uint64_t n = tree->intervals.count, slow = tree->intervals.tail_count;
    __int128 others = tree->nodes[0].moments.sum, tail = 0;
    ledger->mean_ns = ledger->slow_ns = llround(exact_mean(n, others));
    for (uint32_t i = 0; i < ledger->count; i++) {
        struct tail_part *part = &ledger->parts[i];
        others -= part->sum;
        tail += part->tail;
        part->from_ns = ledger->slow_ns;
        part->to_ns = llround(exact_mean(n, others) + exact_mean(slow, tail));
        ledger->slow_ns = part->to_ns;
    }
}

void tail_ledger_build(struct tail_ledger *ledger, struct variance_tree *tree)
{
    *ledger = (struct tail_ledger){0};
    if (tree->node_count == 0 || tree->intervals.count == 0)
        return;
    struct intern names = {0};
    struct owner *owners = find_owners(tree);
    ledger->parts = ARENA_ARRAY(&tree->arena, struct tail_part, tree->node_count);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (owners[n].owns)
            add_owner(ledger, tree, n, &owners[n], &names);
    ledger->count = (uint32_t)names.count;
    set_shares(ledger, tree);
    qsort(ledger->parts, ledger->count, sizeof *ledger->parts, part_order);
    set_steps(ledger, tree);
    memory_free(owners);
    intern_release(&names);
}
