#include "stacks/span_writer.h"

#include "base/memory.h"

static void open_span(struct span_writer *w, uint32_t probe, uint32_t depth, time_ns time)
{
    uint32_t parent = w->open_count ? w->open[w->open_count - 1].span : SPAN_NONE;
    uint32_t span = (uint32_t)w->count;
    VEC_PUSH(w->spans, w->count, w->capacity) =
        (struct span){.start = time, .end = time, .probe = probe, .parent = parent};
    VEC_PUSH(w->open, w->open_count, w->open_capacity) = (struct open_span){span, depth};
}

static void close_spans(struct span_writer *w, uint32_t depth, time_ns time)
{
    for (; w->open_count && w->open[w->open_count - 1].depth > depth; w->open_count--)
        w->spans[w->open[w->open_count - 1].span].end = time;
}

void span_writer_begin(struct span_writer *w, time_ns lo, uint32_t root)
{
    w->root = root;
    w->open_count = 0;
    w->latest = (struct stack_moment){.node = CONTEXT_ROOT};
    if (root != CONTEXT_NONE)
        open_span(w, SPAN_PROBE_OF(root), 0, lo);
}

/* Where the root is not in a whole stack: so many of its calls were around it the last time. */
static uint32_t depth_around(const struct span_writer *w, uint32_t node)
{
    bool known = w->around != CONTEXT_ROOT && w->around_root == w->root;
    return known ? w->tree->nodes[context_common(w->tree, node, w->around)].depth : 0;
}

/* So many of the outermost calls are the root or around it. Where they are not known down to it, all
 * of them are. */
static uint32_t depth_of_root(struct span_writer *w, const struct stack_piece *piece)
{
    const struct context_node *nodes = w->tree->nodes;
    uint32_t outermost = CONTEXT_NONE;
    if (w->root == CONTEXT_NONE)
        return 0;
    for (uint32_t node = piece->stack.node; node != CONTEXT_ROOT; node = nodes[node].parent)
        if (nodes[node].frame == w->root)
            outermost = node;
    if (outermost == CONTEXT_NONE)
        return piece->whole ? depth_around(w, piece->stack.node) : nodes[piece->stack.node].depth;
    w->around = nodes[outermost].parent;
    w->around_root = w->root;
    return nodes[outermost].depth;
}

/* Those below `common` are new, as far as they are below the root. */
static void open_new(struct span_writer *w, const struct stack_piece *piece, uint32_t common)
{
    const struct context_node *nodes = w->tree->nodes;
    uint32_t least = depth_of_root(w, piece);
    w->path_count = 0;
    for (uint32_t node = piece->stack.node; node != common; node = nodes[node].parent)
        if (nodes[node].depth > least)
            VEC_PUSH(w->path, w->path_count, w->path_capacity) = node;
    while (w->path_count) {
        uint32_t node = w->path[--w->path_count];
        open_span(w, SPAN_PROBE_OF(nodes[node].frame), nodes[node].depth, piece->stack.time);
    }
}

void span_writer_add(struct span_writer *w, const struct stack_piece *piece)
{
    uint32_t common = stack_moments_common(w->tree, &w->latest, &piece->stack);
    close_spans(w, w->tree->nodes[common].depth, piece->stack.time);
    open_new(w, piece, common);
    if (piece->unseen && w->tells_unseen)
        open_span(w, SPAN_PROBE_UNSEEN(w->tree), UINT32_MAX, piece->stack.time);
    w->latest = piece->stack;
}

void span_writer_end(struct span_writer *w, time_ns hi)
{
    for (; w->open_count; w->open_count--)
        w->spans[w->open[w->open_count - 1].span].end = hi;
}

void span_writer_release(struct span_writer *w)
{
    memory_free(w->spans);
    memory_free(w->open);
    memory_free(w->path);
    *w = (struct span_writer){0};
}
