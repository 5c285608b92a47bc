#include "stacks/path_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct ranking {
    const struct path_side *sides;
    uint32_t *same; /* by node of B: A's of the same path, or CONTEXT_NONE */
    bool *inner;    /* by node of B: it has children */
};

static const char *function_at(const struct path_side *side, uint32_t node)
{
    return side->tree->frames[side->tree->nodes[node].frame].function;
}

/* A's nodes by their parent and the name of their function. */
struct named_children {
    struct intern names;
    struct hash_map children; /* parent << 32 | name -> 1 + node */
};

static void list_named(struct named_children *list, const struct path_side *side)
{
    for (size_t n = 1; n < side->tree->count; n++) {
        uint64_t name = intern_add(&list->names, function_at(side, (uint32_t)n));
        uint64_t key = (uint64_t)side->tree->nodes[n].parent << 32 | name;
        uint64_t *known = hash_map_put(&list->children, key);
        *known = *known ? *known : 1 + n;
    }
}

/* A parent stands before its children. */
static void find_same(struct ranking *r)
{
    const struct path_side *b = &r->sides[1];
    struct named_children list = {0};
    list_named(&list, &r->sides[0]);
    for (size_t n = 0; n < b->tree->count; n++) {
        r->same[n] = n ? CONTEXT_NONE : CONTEXT_ROOT;
        uint32_t parent = n ? r->same[b->tree->nodes[n].parent] : CONTEXT_NONE;
        if (parent == CONTEXT_NONE)
            continue;
        uint64_t name = intern_add(&list.names, function_at(b, (uint32_t)n));
        uint64_t *known = hash_map_get(&list.children, (uint64_t)parent << 32 | name);
        r->same[n] = known ? (uint32_t)*known - 1 : CONTEXT_NONE;
    }
    for (size_t n = 1; n < b->tree->count; n++)
        r->inner[b->tree->nodes[n].parent] = true;
    intern_release(&list.names);
    hash_map_release(&list.children);
}

static struct path_change path_of(const struct ranking *r, uint32_t leaf)
{
    const struct path_side *a = &r->sides[0], *b = &r->sides[1];
    bool in_both = r->same[leaf] != CONTEXT_NONE;
    struct path_change path = {.leaf = leaf, .in_both = in_both};
    double most = -INFINITY;
    for (uint32_t n = leaf; n != CONTEXT_NONE; n = b->tree->nodes[n].parent) {
        double cost = b->own[n] - (in_both ? a->own[r->same[n]] : 0);
        path.cost += cost;
        if (cost <= most)
            continue;
        most = cost;
        path.hottest = n;
    }
    return path;
}

static int path_order(const void *a, const void *b)
{
    const struct path_change *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost > q->cost ? -1 : 1;
    return p->leaf < q->leaf ? -1 : p->leaf > q->leaf;
}

void path_changes_find(struct path_changes *paths, const struct path_side sides[2])
{
    size_t count = sides[1].tree->count;
    struct ranking r = {.sides = sides,
                        .same = memory_alloc(count * sizeof *r.same),
                        .inner = memory_zeroed(count * sizeof *r.inner)};
    *paths = (struct path_changes){0};
    find_same(&r);
    for (size_t n = 0; n < count; n++)
        if (!r.inner[n])
            VEC_PUSH(paths->items, paths->count, paths->capacity) = path_of(&r, (uint32_t)n);
    qsort(paths->items, paths->count, sizeof *paths->items, path_order);
    memory_free(r.same);
    memory_free(r.inner);
}

static uint32_t apart(const struct context_tree *tree, uint32_t a, uint32_t b)
{
    uint32_t first = tree->nodes[a].depth, second = tree->nodes[b].depth;
    return first > second ? first - second : second - first;
}

/* Of several in the path, the one that is nearest to the hottest. */
struct path_rank path_changes_rank(const struct path_changes *paths, const struct path_side *b,
                                   const char *function)
{
    struct path_rank rank = {0, UINT32_MAX};
    for (size_t i = 0; i < paths->count && !rank.p_min; i++) {
        const struct path_change *path = &paths->items[i];
        for (uint32_t n = path->leaf; n != CONTEXT_ROOT; n = b->tree->nodes[n].parent) {
            if (strcmp(function_at(b, n), function) != 0)
                continue;
            uint32_t calls = apart(b->tree, n, path->hottest);
            rank.p_min = (uint32_t)i + 1;
            rank.f_min = calls < rank.f_min ? calls : rank.f_min;
        }
    }
    return rank.p_min ? rank : (struct path_rank){0};
}

void path_changes_release(struct path_changes *paths)
{
    memory_free(paths->items);
    *paths = (struct path_changes){0};
}
