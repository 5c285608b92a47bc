/* span_writer.h - from the pieces of a thread's time to the spans of its timeline.
 *
 *     pieces   A/B......|A/C..|A/C/read....|A/C..|
 *     spans    A-----------------------------------
 *              B--------|C------------------------
 *                             |read--------|
 *
 *     struct span_writer writer = {.tree = &tree};
 *     span_writer_begin(&writer, lo, root);
 *     span_writer_add(&writer, &piece); ...                      in order of time
 *     span_writer_end(&writer, hi);
 *     writer.spans[i]                             a parent before its children, siblings in order
 *     span_writer_release(&writer);
 *
 * What two pieces one behind the other have in common goes on. Nothing goes on from one stretch to the
 * next. A stretch that has a root is in a call of that frame from its beginning to its end, and the
 * calls around the outermost one of it are left out: they are the same in all such stretches. Of a stack that
 * it is not in, as it has gone on in another function by a jump, those are left out that were around it the
 * last time.
 */
#ifndef STACKS_SPAN_WRITER_H
#define STACKS_SPAN_WRITER_H

#include "stacks/stretch_pieces.h"

/* Frame f of the tree of contexts has this probe; SPAN_PROBE_UNSEEN(tree) is that of time which no
 * sample saw. */
#define SPAN_PROBE_OF(frame) ((frame) + 1)
#define SPAN_PROBE_UNSEEN(tree) ((uint32_t)(tree)->frame_count + 1)

struct open_span {
    uint32_t span;
    uint32_t depth; /* of its context; 0: it is the root, and UINT32_MAX: it was not seen */
};

struct span_writer {
    const struct context_tree *tree;
    struct span *spans;
    size_t count, capacity;
    bool tells_unseen; /* what was not seen gets a span */
    /* its own */
    uint32_t root;                /* frame, or CONTEXT_NONE */
    uint32_t around, around_root; /* the node around that frame, the last time that one was seen */
    struct open_span *open;
    size_t open_count, open_capacity;
    uint32_t *path; /* nodes that are still to be opened, the innermost first */
    size_t path_count, path_capacity;
    struct stack_moment latest;
};

void span_writer_begin(struct span_writer *writer, time_ns lo, uint32_t root);
void span_writer_add(struct span_writer *writer, const struct stack_piece *piece);
void span_writer_end(struct span_writer *writer, time_ns hi);
void span_writer_release(struct span_writer *writer);

#endif
