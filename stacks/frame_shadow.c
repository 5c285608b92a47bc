#include "stacks/frame_shadow.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

struct searching {
    int side;
    const struct context_tree *const *trees;
    const struct tree_match *match;
    uint32_t *first, *next; /* A's children; CONTEXT_NONE: there is none */
    uint32_t *base;         /* by node: A's node below which its callees are looked for */
};

static void list_children(struct searching *s)
{
    const struct context_tree *tree = s->trees[0];
    s->first = memory_alloc(sizeof *s->first * tree->count);
    s->next = memory_alloc(sizeof *s->next * tree->count);
    for (size_t n = 0; n < tree->count; n++)
        s->first[n] = s->next[n] = CONTEXT_NONE;
    for (size_t n = tree->count; n-- > 1;) {
        uint32_t parent = tree->nodes[n].parent;
        s->next[n] = s->first[parent];
        s->first[parent] = (uint32_t)n;
    }
}

static bool alike(const struct searching *s, uint32_t node, uint32_t a)
{
    const struct context_tree *tree = s->trees[s->side];
    const struct context_frame *frame = &tree->frames[tree->nodes[node].frame],
                               *other = &s->trees[0]->frames[s->trees[0]->nodes[a].frame];
    return (frame->kind == FRAME_KERNEL) == (other->kind == FRAME_KERNEL) &&
           strcmp(frame->function, other->function) == 0;
}

/* A callee of A's node that both versions have. */
static uint32_t find_alike(const struct searching *s, uint32_t node, uint32_t base)
{
    for (uint32_t c = s->first[base]; c != CONTEXT_NONE; c = s->next[c])
        if (s->match->other[0][c] != CONTEXT_NONE && alike(s, node, c))
            return c;
    return CONTEXT_NONE;
}

/* Parents come first. */
static uint32_t search(struct searching *s, uint32_t node)
{
    uint32_t other = s->match->other[s->side][node];
    if (other != CONTEXT_NONE) {
        s->base[node] = s->side == 0 ? node : other;
        return CONTEXT_NONE;
    }
    uint32_t base = s->base[s->trees[s->side]->nodes[node].parent];
    uint32_t shadow = find_alike(s, node, base);
    s->base[node] = shadow == CONTEXT_NONE ? base : shadow;
    return shadow;
}

uint32_t *frame_shadow_find(int side, const struct context_tree *const trees[2],
                            const struct tree_match *match)
{
    struct searching s = {.side = side, .trees = trees, .match = match};
    size_t count = trees[side]->count;
    uint32_t *shadow = memory_alloc(sizeof *shadow * count);
    list_children(&s);
    s.base = memory_alloc(sizeof *s.base * count);
    for (uint32_t n = 0; n < count; n++)
        shadow[n] = search(&s, n);
    memory_free(s.base);
    memory_free(s.first);
    memory_free(s.next);
    return shadow;
}
