#include "stacks/context_fold.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

enum { MOST_PERIOD = 8 };

/* ---- recursion ---- */

static bool repeats_itself(const uint32_t *frames, size_t count, size_t period)
{
    return count >= 2 * period && memcmp(frames + count - period, frames + count - 2 * period,
                                         period * sizeof *frames) == 0;
}

size_t context_fold_frames(uint32_t *frames, uint32_t *repeats, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        frames[kept] = frames[i];
        repeats[kept++] = 1;
        for (size_t period = 1; period <= MOST_PERIOD; period++) {
            if (!repeats_itself(frames, kept, period))
                continue;
            kept -= period;
            for (size_t k = kept - period; k < kept; k++)
                repeats[k] += repeats[k + period];
            break;
        }
    }
    return kept;
}

/* ---- the tree ---- */

static const char *const special_names[CONTEXT_SPECIALS] = {[CONTEXT_CUT] = "[cut]",
                                                            [CONTEXT_NO_STACK] =
                                                                "[stack not recorded]",
                                                            [CONTEXT_NOT_SEEN] = "[not seen]",
                                                            [CONTEXT_KERNEL] = "[in the kernel]",
                                                            [CONTEXT_QUEUE] = "[wants a processor]",
                                                            [CONTEXT_MISSING] = "[not recorded]",
                                                            [CONTEXT_LEFT_OUT] = "[other layers]"};

void context_fold_init(struct context_fold *fold, const struct context_tree *from, unsigned layers)
{
    *fold = (struct context_fold){.from = from, .layers = layers};
    context_tree_init(&fold->tree);
    for (int s = 0; s < CONTEXT_SPECIALS; s++)
        fold->special[s] = context_frame_add(
            &fold->tree, &(struct context_frame){
                             .function = special_names[s], .object = "", .kind = FRAME_NONE});
}

void context_fold_release(struct context_fold *fold)
{
    context_tree_release(&fold->tree);
    hash_map_release(&fold->known);
    memory_free(fold->deepest);
    *fold = (struct context_fold){0};
}

static uint32_t child(struct context_fold *fold, uint32_t parent, uint32_t frame, uint32_t repeats)
{
    uint32_t node = context_tree_child(&fold->tree, parent, frame);
    while (fold->deepest_count < fold->tree.count)
        VEC_PUSH(fold->deepest, fold->deepest_count, fold->deepest_capacity) = 1;
    if (repeats > fold->deepest[node])
        fold->deepest[node] = repeats;
    return node;
}

/* Two groups may have one name. */
uint32_t context_fold_group(struct context_fold *fold, uint32_t group, const char *name)
{
    struct str number = {0};
    str_printf(&number, "%u", group);
    uint32_t frame = context_frame_add(
        &fold->tree,
        &(struct context_frame){.function = name, .object = number.data, .kind = FRAME_NONE});
    str_release(&number);
    return child(fold, CONTEXT_ROOT, frame, 1);
}

uint32_t context_fold_special(struct context_fold *fold, uint32_t group_node,
                              enum context_special special)
{
    return child(fold, group_node, fold->special[special], 1);
}

enum context_special context_fold_is(const struct context_fold *fold, uint32_t node)
{
    uint32_t frame = fold->tree.nodes[node].frame;
    for (int s = 0; s < CONTEXT_SPECIALS; s++)
        if (fold->special[s] == frame)
            return (enum context_special)s;
    return CONTEXT_SPECIALS;
}

/* Frames that are told, as numbers of this tree. */
static size_t told_frames(struct context_fold *fold, uint32_t node, uint32_t *frames)
{
    size_t count = 0, depth = context_tree_frames(fold->from, node, frames);
    for (size_t i = 0; i < depth; i++) {
        const struct context_frame *frame = &fold->from->frames[frames[i]];
        if (fold->layers & 1u << frame->kind)
            frames[count++] = context_frame_add(&fold->tree, frame);
    }
    return count;
}

static uint32_t whole(struct context_fold *fold, uint32_t node, const uint32_t *frames,
                      const uint32_t *repeats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        node = child(fold, node, frames[i], repeats[i]);
    return node;
}

static uint32_t from_leaf(struct context_fold *fold, uint32_t node, const uint32_t *frames,
                          const uint32_t *repeats, size_t count)
{
    while (count-- > 0)
        node = child(fold, node, frames[count], repeats[count]);
    return node;
}

static uint32_t fold_node(struct context_fold *fold, uint32_t group_node, uint32_t node, bool cut)
{
    uint32_t depth = fold->from->nodes[node].depth;
    uint32_t *frames = memory_alloc((depth + 1) * sizeof *frames);
    uint32_t *repeats = memory_alloc((depth + 1) * sizeof *repeats);
    size_t count = context_fold_frames(frames, repeats, told_frames(fold, node, frames));
    uint32_t found = !count ? context_fold_special(fold, group_node, CONTEXT_LEFT_OUT)
                     : cut  ? from_leaf(fold, context_fold_special(fold, group_node, CONTEXT_CUT),
                                        frames, repeats, count)
                            : whole(fold, group_node, frames, repeats, count);
    memory_free(frames);
    memory_free(repeats);
    return found;
}

uint32_t context_fold_node(struct context_fold *fold, uint32_t group_node, uint32_t node, bool cut)
{
    uint64_t key = (uint64_t)node << 32 | group_node << 1 | cut;
    const uint64_t *known = hash_map_get(&fold->known, key);
    if (known)
        return (uint32_t)*known;
    uint32_t found = fold_node(fold, group_node, node, cut);
    *hash_map_put(&fold->known, key) = found;
    return found;
}

uint32_t context_fold_own(const struct context_fold *fold, uint32_t node)
{
    const struct context_node *nodes = fold->tree.nodes;
    for (uint32_t n = node; n != CONTEXT_ROOT; n = nodes[n].parent) {
        uint32_t above = nodes[n].parent;
        if (above != CONTEXT_ROOT && nodes[above].frame == fold->special[CONTEXT_CUT])
            return n;
    }
    return node;
}
