#include "stacks/tree_match.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* Nodes of one side below the pair that is looked at, which have no other yet. */
struct left_over {
    uint32_t *nodes;
    size_t count, capacity;
};

struct child_list {
    uint32_t *first, *next; /* by node; CONTEXT_NONE: there is none */
};

struct matching {
    const struct match_side *sides;
    struct tree_match *match;
    struct intern names; /* of functions, of both sides */
    uint32_t *name[2];   /* by node */
    bool *has_name[2];   /* by name: the side has it */
    struct child_list children[2];
    struct left_over left[2];
    uint32_t *pairs; /* nodes of A whose children are still to be matched */
    size_t pair_count, pair_capacity;
};

static const struct context_frame *frame_of(const struct matching *m, int side, uint32_t node)
{
    const struct context_tree *tree = m->sides[side].tree;
    return &tree->frames[tree->nodes[node].frame];
}

static bool alike(const struct matching *m, int side, uint32_t node, uint32_t other)
{
    return m->name[side][node] == m->name[!side][other];
}

/* Where a function without a name begins is another place in each version; its shape is not. */
static void append_name(const struct context_frame *frame, struct str *name)
{
    if (frame->shape)
        str_printf(name, "[%llx", (unsigned long long)frame->shape);
    else
        str_printf(name, "%d%s", frame->kind == FRAME_KERNEL, frame->function);
}

static void number_names(struct matching *m, int side)
{
    const struct context_tree *tree = m->sides[side].tree;
    uint32_t *of_frame = memory_alloc((tree->frame_count + 1) * sizeof *of_frame);
    for (size_t f = 0; f < tree->frame_count; f++) {
        struct str name = {0};
        append_name(&tree->frames[f], &name);
        of_frame[f] = intern_add(&m->names, name.data);
        str_release(&name);
    }
    m->name[side] = memory_alloc(tree->count * sizeof *m->name[side]);
    for (size_t n = 0; n < tree->count; n++)
        m->name[side][n] = n == CONTEXT_ROOT ? INTERN_NONE : of_frame[tree->nodes[n].frame];
    memory_free(of_frame);
}

static void note_names(struct matching *m, int side)
{
    m->has_name[side] = memory_zeroed((m->names.count + 1) * sizeof *m->has_name[side]);
    for (size_t n = 1; n < m->sides[side].tree->count; n++)
        m->has_name[side][m->name[side][n]] = true;
}

static double total_of(const struct matching *m, int side, uint32_t node)
{
    return m->sides[side].total[node];
}

static void list_children(struct child_list *list, const struct context_tree *tree)
{
    list->first = memory_alloc(tree->count * sizeof *list->first);
    list->next = memory_alloc(tree->count * sizeof *list->next);
    for (size_t n = 0; n < tree->count; n++)
        list->first[n] = list->next[n] = CONTEXT_NONE;
    for (size_t n = tree->count; n-- > 1;) {
        uint32_t parent = tree->nodes[n].parent;
        list->next[n] = list->first[parent];
        list->first[parent] = (uint32_t)n;
    }
}

static void leave_children(struct matching *m, int side, uint32_t node)
{
    struct left_over *left = &m->left[side];
    const struct child_list *children = &m->children[side];
    for (uint32_t c = children->first[node]; c != CONTEXT_NONE; c = children->next[c])
        VEC_PUSH(left->nodes, left->count, left->capacity) = c;
}

static void take_out(struct left_over *left, size_t at)
{
    left->count--;
    memmove(left->nodes + at, left->nodes + at + 1, (left->count - at) * sizeof *left->nodes);
}

static void match_nodes(struct matching *m, size_t a, size_t b)
{
    uint32_t nodes[2] = {m->left[0].nodes[a], m->left[1].nodes[b]};
    for (int s = 0; s < 2; s++)
        m->match->other[s][nodes[s]] = nodes[!s];
    take_out(&m->left[0], a);
    take_out(&m->left[1], b);
    VEC_PUSH(m->pairs, m->pair_count, m->pair_capacity) = nodes[0];
}

/* Of several with its name, the one of its object is a node's. */
static size_t find_alike(const struct matching *m, uint32_t node)
{
    const struct left_over *left = &m->left[1];
    size_t found = left->count;
    for (size_t b = 0; b < left->count; b++) {
        if (!alike(m, 0, node, left->nodes[b]))
            continue;
        const struct context_frame *frame = frame_of(m, 1, left->nodes[b]);
        if (strcmp(frame->object, frame_of(m, 0, node)->object) == 0)
            return b;
        found = found == left->count ? b : found;
    }
    return found;
}

static void match_names(struct matching *m)
{
    for (size_t a = 0; a < m->left[0].count;) {
        size_t b = find_alike(m, m->left[0].nodes[a]);
        if (b < m->left[1].count)
            match_nodes(m, a, b);
        else
            a++;
    }
}

/* How much time below the node is of a function of that name. */
static double time_alike(const struct matching *m, int side, uint32_t node, uint32_t name, int deep)
{
    const struct child_list *children = &m->children[side];
    double time = 0;
    for (uint32_t c = children->first[node]; c != CONTEXT_NONE && deep > 0; c = children->next[c])
        time += m->name[side][c] == name ? total_of(m, side, c)
                                         : time_alike(m, side, c, name, deep - 1);
    return time;
}

static double gain_of_passing(const struct matching *m, int side, uint32_t node)
{
    const struct left_over *others = &m->left[!side];
    double gain = 0;
    for (size_t i = 0; i < others->count; i++)
        gain += fmin(total_of(m, !side, others->nodes[i]),
                     time_alike(m, side, node, m->name[!side][others->nodes[i]], MATCH_DEEP));
    return gain;
}

/* The frame by which most time finds its like is passed over; false: none does. */
static bool pass_over_one(struct matching *m)
{
    double most = 0;
    int of = 0;
    size_t at = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < m->left[s].count; i++) {
            double gain = gain_of_passing(m, s, m->left[s].nodes[i]);
            if (gain <= most)
                continue;
            most = gain;
            of = s;
            at = i;
        }
    if (most <= 0)
        return false;
    uint32_t node = m->left[of].nodes[at];
    take_out(&m->left[of], at);
    leave_children(m, of, node);
    m->match->passed[of]++;
    return true;
}

/* A function that both versions have somewhere was not renamed. Of those without a name, the file is not known. */
static bool same_file(const struct matching *m, uint32_t a, uint32_t b)
{
    if (m->has_name[1][m->name[0][a]] || m->has_name[0][m->name[1][b]])
        return false;
    const struct context_frame *frame = frame_of(m, 0, a), *other = frame_of(m, 1, b);
    if (frame->shape && other->shape)
        return strcmp(frame->object, other->object) == 0;
    return frame->file && other->file && *frame->file && strcmp(frame->file, other->file) == 0;
}

/* One node of each side, of those that are left. */
typedef double (*time_of_pair)(const struct matching *m, uint32_t a, uint32_t b);

/* Those two are one for which that time is most; false: it is 0 for all. */
static bool match_most(struct matching *m, time_of_pair time_of)
{
    double most = 0;
    size_t at[2] = {0, 0};
    for (size_t a = 0; a < m->left[0].count; a++)
        for (size_t b = 0; b < m->left[1].count; b++) {
            double time = time_of(m, m->left[0].nodes[a], m->left[1].nodes[b]);
            if (time <= most)
                continue;
            most = time;
            at[0] = a;
            at[1] = b;
        }
    if (most > 0)
        match_nodes(m, at[0], at[1]);
    return most > 0;
}

/* The time that two of one file have in common. */
static double time_of_one_file(const struct matching *m, uint32_t a, uint32_t b)
{
    return same_file(m, a, b) ? fmin(total_of(m, 0, a), total_of(m, 1, b)) : 0;
}

/* How much of the time that two nodes' callees have is of the same functions. */
static double time_in_common(const struct matching *m, uint32_t a, uint32_t b)
{
    const struct child_list *children = m->children;
    double time = 0;
    for (uint32_t c = children[0].first[a]; c != CONTEXT_NONE; c = children[0].next[c])
        time += fmin(total_of(m, 0, c), time_alike(m, 1, b, m->name[0][c], 1));
    return time;
}

static bool is_function(const struct matching *m, int side, uint32_t node)
{
    return frame_of(m, side, node)->kind != FRAME_NONE;
}

/* Threads of one version have another name than those of the other, as the program has: those of most time in
 * common are one. */
static double time_of_one_group(const struct matching *m, uint32_t a, uint32_t b)
{
    return is_function(m, 0, a) || is_function(m, 1, b) ? 0 : time_in_common(m, a, b);
}

static void match_children(struct matching *m, uint32_t node)
{
    m->left[0].count = m->left[1].count = 0;
    leave_children(m, 0, node);
    leave_children(m, 1, m->match->other[0][node]);
    match_names(m);
    while (node == CONTEXT_ROOT && match_most(m, time_of_one_group))
        ;
    do
        match_names(m);
    while (pass_over_one(m));
    while (match_most(m, time_of_one_file))
        ;
}

/* A parent stands before its children. */
static void find_above(struct tree_match *match, int side, const struct context_tree *tree)
{
    for (size_t n = 0; n < tree->count; n++)
        match->above[side][n] = match->other[side][n] != CONTEXT_NONE
                                    ? (uint32_t)n
                                    : match->above[side][tree->nodes[n].parent];
}

void tree_match_find(struct tree_match *match, const struct match_side sides[2])
{
    struct matching m = {.sides = sides, .match = match};
    *match = (struct tree_match){0};
    for (int s = 0; s < 2; s++) {
        size_t count = sides[s].tree->count;
        list_children(&m.children[s], sides[s].tree);
        number_names(&m, s);
        match->other[s] = memory_alloc(count * sizeof *match->other[s]);
        match->above[s] = memory_alloc(count * sizeof *match->above[s]);
        for (size_t n = 0; n < count; n++)
            match->other[s][n] = n == CONTEXT_ROOT ? CONTEXT_ROOT : CONTEXT_NONE;
    }
    for (int s = 0; s < 2; s++)
        note_names(&m, s);
    VEC_PUSH(m.pairs, m.pair_count, m.pair_capacity) = CONTEXT_ROOT;
    while (m.pair_count)
        match_children(&m, m.pairs[--m.pair_count]);
    for (int s = 0; s < 2; s++) {
        find_above(match, s, sides[s].tree);
        memory_free(m.children[s].first);
        memory_free(m.children[s].next);
        memory_free(m.left[s].nodes);
        memory_free(m.name[s]);
        memory_free(m.has_name[s]);
    }
    intern_release(&m.names);
    memory_free(m.pairs);
}

void tree_match_release(struct tree_match *match)
{
    for (int s = 0; s < 2; s++) {
        memory_free(match->other[s]);
        memory_free(match->above[s]);
    }
    *match = (struct tree_match){0};
}
