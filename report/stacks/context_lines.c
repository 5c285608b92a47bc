#include "report/stacks/context_lines.h"

#include "base/memory.h"

/* Of the group's time: what differs by less tells nothing new (chosen). */
#define SAME 0.01

#define WITHIN_KERNEL 4 /* times as much (chosen) */

static const double thresholds[] = {0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2};

static time_ns total_of(const struct context_lines *lines, uint32_t node)
{
    return context_time_total(&lines->times->sums[node]);
}

static bool is_kernel(const struct context_lines *lines, uint32_t node)
{
    const struct context_tree *tree = &lines->times->fold.tree;
    return tree->nodes[node].depth > 0 &&
           tree->frames[tree->nodes[node].frame].kind == FRAME_KERNEL;
}

/* What the kernel's functions do within it is told where it is more. */
static bool is_told(const struct context_lines *lines, uint32_t node)
{
    uint32_t above = lines->times->fold.tree.nodes[node].parent;
    double least = is_kernel(lines, node) && is_kernel(lines, above) ? WITHIN_KERNEL * lines->least
                                                                     : lines->least;
    return (double)total_of(lines, node) >= least * (double)lines->whole;
}

/* The children that have lines; they stand first. */
static uint32_t told_below(const struct context_lines *lines, uint32_t node)
{
    uint32_t told = 0;
    for (uint32_t i = lines->order->first[node]; i < lines->order->first[node + 1]; i++)
        told += is_told(lines, lines->order->items[i]);
    return told;
}

/* The end of the chain that begins with the node: one child has nearly all of it, and is none of the kernel's as long as
 * the others are not. */
static uint32_t chain_end(const struct context_lines *lines, uint32_t node)
{
    double near = SAME * (double)lines->whole;
    for (;;) {
        uint32_t first = lines->order->first[node];
        if (first == lines->order->first[node + 1] ||
            context_fold_is(&lines->times->fold, node) != CONTEXT_SPECIALS)
            return node;
        uint32_t child = lines->order->items[first];
        if (!is_told(lines, child) || is_kernel(lines, child) != is_kernel(lines, node) ||
            (double)(total_of(lines, node) - total_of(lines, child)) >= near)
            return node;
        node = child;
    }
}

static struct context_line line_of(const struct context_lines *lines, uint32_t first, uint32_t node,
                                   uint32_t depth, bool last)
{
    const struct context_sum *sum = &lines->times->sums[node];
    return (struct context_line){.first = first,
                                 .node = node,
                                 .depth = depth,
                                 .ran = sum->total[TIME_RAN],
                                 .off = sum->total[TIME_OFF],
                                 .all = context_time_total(sum),
                                 .last = last};
}

static void push(struct context_lines *lines, struct context_line line)
{
    VEC_PUSH(lines->items, lines->count, lines->capacity) = line;
}

/* What has no line of its own, if it matters together. */
static void push_rest(struct context_lines *lines, uint32_t node, uint32_t depth, uint32_t told)
{
    uint32_t from = lines->order->first[node] + told, until = lines->order->first[node + 1];
    struct context_line rest = {
        .first = node, .node = node, .depth = depth, .more = until - from, .last = true};
    for (uint32_t i = from; i < until; i++) {
        struct context_line one = line_of(lines, 0, lines->order->items[i], 0, false);
        rest.ran += one.ran;
        rest.off += one.off;
        rest.all += one.all;
    }
    if (rest.more && !is_kernel(lines, node) &&
        (double)rest.all >= lines->least * (double)lines->whole)
        push(lines, rest);
    else if (told)
        for (size_t i = lines->count; i-- > 0;)
            if (lines->items[i].depth == depth) {
                lines->items[i].last = true;
                break;
            }
}

/* As deep as a screen is wide. */
static void push_node(struct context_lines *lines, uint32_t node, uint32_t depth)
{
    uint32_t end = depth ? chain_end(lines, node) : node;
    push(lines, line_of(lines, node, end, depth, false));
    if (depth == CONTEXT_LINES_DEPTH)
        return;
    uint32_t told = told_below(lines, end);
    for (uint32_t i = 0; i < told; i++)
        push_node(lines, lines->order->items[lines->order->first[end] + i], depth + 1);
    push_rest(lines, end, depth + 1, told);
}

void context_lines_init(struct context_lines *lines, const struct context_times *times,
                        const struct child_order *order, uint32_t group_node, uint32_t most)
{
    *lines = (struct context_lines){.times = times, .order = order};
    lines->whole = total_of(lines, group_node);
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
        lines->least = thresholds[i];
        lines->count = 0;
        push_node(lines, group_node, 0);
        if (lines->count <= most)
            break;
    }
}

void context_lines_release(struct context_lines *lines)
{
    memory_free(lines->items);
    *lines = (struct context_lines){0};
}
