#include "stacks/context_tree.h"

#include "base/memory.h"
#include "base/str.h"

bool context_frame_is_known(const struct context_frame *frame)
{
    return frame->kind != FRAME_NONE &&
           (*frame->function != '[' || (frame->kind == FRAME_PROGRAM && frame->start));
}

void context_tree_init(struct context_tree *tree)
{
    *tree = (struct context_tree){0};
    VEC_PUSH(tree->nodes, tree->count, tree->capacity) =
        (struct context_node){.parent = CONTEXT_NONE, .frame = CONTEXT_NONE};
}

void context_tree_release(struct context_tree *tree)
{
    memory_free(tree->nodes);
    memory_free(tree->frames);
    hash_map_release(&tree->children);
    intern_release(&tree->texts);
    intern_release(&tree->kinds);
    *tree = (struct context_tree){0};
}

static const char *kept(struct context_tree *tree, const char *text)
{
    uint32_t number = intern_add(&tree->texts, text);
    return tree->texts.text[number];
}

uint32_t context_frame_add(struct context_tree *tree, const struct context_frame *frame)
{
    struct str kind = {0};
    str_printf(&kind, "%d\n%s\n%s", (int)frame->kind, frame->object, frame->function);
    uint32_t number = intern_add(&tree->kinds, kind.data);
    str_release(&kind);
    if (number == tree->frame_count)
        VEC_PUSH(tree->frames, tree->frame_count, tree->frame_capacity) =
            (struct context_frame){.function = kept(tree, frame->function),
                                   .object = kept(tree, frame->object),
                                   .kind = frame->kind,
                                   .file = kept(tree, frame->file ? frame->file : ""),
                                   .line = frame->line,
                                   .start = frame->start,
                                   .shape = frame->shape};
    return number;
}

uint32_t context_tree_child(struct context_tree *tree, uint32_t parent, uint32_t frame)
{
    uint64_t *known = hash_map_put(&tree->children, (uint64_t)parent << 32 | frame);
    if (!*known) {
        uint32_t depth = tree->nodes[parent].depth + 1;
        *known = tree->count;
        VEC_PUSH(tree->nodes, tree->count, tree->capacity) =
            (struct context_node){.parent = parent, .frame = frame, .depth = depth};
    }
    return (uint32_t)*known;
}

uint32_t context_tree_path(struct context_tree *tree, const uint32_t *frames, size_t depth)
{
    uint32_t node = CONTEXT_ROOT;
    for (size_t i = 0; i < depth; i++)
        node = context_tree_child(tree, node, frames[i]);
    return node;
}

uint32_t context_tree_frames(const struct context_tree *tree, uint32_t node, uint32_t *frames)
{
    uint32_t depth = tree->nodes[node].depth;
    for (uint32_t i = depth; i-- > 0; node = tree->nodes[node].parent)
        frames[i] = tree->nodes[node].frame;
    return depth;
}
