#include "report/variance/digest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

enum { MOST_NAME = 1000, MOST_BLOCKED_LEVELS = 2, MOST_CHAIN_LINES = 3 };

#define LEAST_BLAMED 0.05 /* what a waker did is told a second time */
/* The shares in one chain differ by no more than this. A variance falls twice as fast as a share
 * does where that is near 100 %. */
#define SAME 0.01

static const struct tree_node *node_at(const struct digest *digest, uint32_t index)
{
    return &digest->outline.tree->nodes[index];
}

/* A call without a body has children only if it blocked. */
static bool blocked(const struct digest *digest, uint32_t index)
{
    const struct outline_list *list = &digest->outline.lists[index];
    if (index == 0 || list->count == 0 || node_at(digest, index)->kind == NODE_FOR_ANOTHER)
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        if (node_at(digest, list->nodes[i])->kind == NODE_WAIT)
            return true;
    return node_at(digest, index)->height == 0;
}

static void count_levels(struct digest *digest)
{
    const struct variance_tree *tree = digest->outline.tree;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        bool deeper = tree->nodes[i].blamed && blocked(digest, parent);
        digest->levels[i] = digest->levels[parent];
        if (deeper && digest->levels[i] <= MOST_BLOCKED_LEVELS)
            digest->levels[i]++;
    }
}

static void choose(struct digest *digest)
{
    const struct variance_tree *tree = digest->outline.tree;
    memset(digest->shown, 0, sizeof *digest->shown * tree->node_count);
    for (uint32_t i = tree->node_count; i-- > 1;) {
        double least = tree->nodes[i].blamed ? digest->least_blamed : digest->least;
        if (outline_matters(tree, i, least) || digest->wish.keep[i])
            digest->shown[i] = true;
        if (digest->shown[i])
            digest->shown[tree->nodes[i].parent] = true;
    }
}

/* Counts the children that are shown, and gives the first of them. */
static uint32_t shown_children(const struct digest *digest, uint32_t parent, uint32_t *first)
{
    const struct outline_list *list = &digest->outline.lists[parent];
    uint32_t count = 0;
    for (uint32_t i = list->count; i-- > 0;)
        if (digest->shown[list->nodes[i]]) {
            *first = list->nodes[i];
            count++;
        }
    return count;
}

/* The contributions of folded recursion (NAN) are like any. */
static bool same_share(const struct digest *digest, uint32_t a, uint32_t b)
{
    const struct variance_tree *tree = digest->outline.tree;
    double weight = outline_weight(tree, a), apart = fabs(weight - outline_weight(tree, b));
    return apart < SAME && apart < fabs(weight) / 10 &&
           !(fabs(tree->nodes[a].contribution - tree->nodes[b].contribution) >= 2 * SAME);
}

/* A function whose time is all its own says so by having nothing below it. */
static void hide_bodies(struct digest *digest)
{
    uint32_t count = digest->outline.tree->node_count, only = NODE_NONE;
    for (uint32_t i = 1; i < count; i++)
        if (digest->shown[i] && shown_children(digest, i, &only) == 1 &&
            node_at(digest, only)->kind == NODE_BODY && same_share(digest, i, only) &&
            !digest->wish.ranks[only] && !digest->wish.keep[only])
            digest->shown[only] = false;
}

static struct digest_line *add_line(struct digest *digest, enum digest_what what, uint32_t node,
                                    uint32_t depth)
{
    struct digest_line *line = &VEC_PUSH(digest->lines, digest->count, digest->capacity);
    *line = (struct digest_line){.what = what,
                                 .first = node,
                                 .node = node,
                                 .depth = depth,
                                 .blamed = node_at(digest, node)->blamed};
    return line;
}

/* Gives the node below `node` in a chain that began with `first`; NODE_NONE at its end. */
static uint32_t chain_next(const struct digest *digest, uint32_t first, uint32_t node)
{
    uint32_t child = NODE_NONE;
    if (digest->wish.ranks[node] || shown_children(digest, node, &child) != 1)
        return NODE_NONE;
    bool same_story = node_at(digest, child)->blamed == node_at(digest, node)->blamed &&
                      digest->levels[child] == digest->levels[node];
    return same_story && !blocked(digest, node) && same_share(digest, first, child) ? child
                                                                                    : NODE_NONE;
}

void digest_write_name(const struct digest *digest, const struct digest_line *line, uint32_t node,
                       struct str *out)
{
    bool chain = node != line->first || line->continued;
    if (chain && node_at(digest, node)->kind == NODE_BODY)
        str_append(out, "[body]");
    else
        utf8_fit(out, node_at(digest, node)->name, MOST_NAME, digest->wish.utf8);
}

static size_t name_columns(const struct digest *digest, uint32_t first, uint32_t node)
{
    struct digest_line line = {.first = first};
    struct str name = {0};
    digest_write_name(digest, &line, node, &name);
    size_t columns = utf8_columns(str_text(&name));
    str_release(&name);
    return columns;
}

/* Gives the last node of the chain that a line beginning with `from` has room for: all of them
 * beside the numbers, or else, without numbers, all but the last. */
static uint32_t chain_fit(const struct digest *digest, uint32_t first, uint32_t from,
                          uint32_t depth)
{
    size_t link = digest->wish.link_columns, indent = depth * digest->wish.level_columns;
    size_t used = indent + name_columns(digest, first, from);
    uint32_t node = from, fitting = from, next;
    while ((next = chain_next(digest, first, node)) != NODE_NONE) {
        if (used + link <= digest->wish.line_columns)
            fitting = node;
        used += link + name_columns(digest, first, next);
        node = next;
    }
    return used <= digest->wish.name_columns ? node : fitting;
}

/* A chain that takes too many lines has only its first and its last name. */
static uint32_t chain_squeeze(struct digest *digest, uint32_t first, uint32_t depth)
{
    uint32_t node = first, next, names = 1;
    while ((next = chain_next(digest, first, node)) != NODE_NONE) {
        node = next;
        names++;
    }
    struct digest_line *line = add_line(digest, DIGEST_NODE, first, depth);
    line->continues = true;
    line->skipped = names - 2;
    add_line(digest, DIGEST_NODE, node, depth)->continued = true;
    return node;
}

/* Adds the lines of a chain, and gives its last node. */
static uint32_t add_chain(struct digest *digest, uint32_t first, uint32_t depth, bool last)
{
    uint32_t before = digest->count, from = first, node = first;
    for (uint32_t i = 0; i < MOST_CHAIN_LINES && from != NODE_NONE; i++) {
        node = chain_fit(digest, first, from, depth);
        struct digest_line *line = add_line(digest, DIGEST_NODE, node, depth);
        line->first = from;
        line->continued = i > 0;
        from = chain_next(digest, first, node);
        line->continues = from != NODE_NONE;
    }
    if (from != NODE_NONE) {
        digest->count = before;
        node = chain_squeeze(digest, first, depth);
    }
    for (uint32_t i = before; i < digest->count; i++)
        digest->lines[i].last = last;
    return node;
}

/* Tells whether the children that are not shown need a line; one alone is shown instead. */
static bool rest_matters(struct digest *digest, uint32_t parent)
{
    const struct outline_list *list = &digest->outline.lists[parent];
    uint32_t count = 0, hidden = NODE_NONE;
    double sum = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (digest->shown[list->nodes[i]])
            continue;
        hidden = list->nodes[i];
        sum += fabs(outline_weight(digest->outline.tree, hidden));
        count++;
    }
    bool blamed = node_at(digest, parent)->blamed;
    if (sum < (blamed ? digest->least_blamed : digest->least) / 2)
        return false;
    if (count == 1)
        digest->shown[hidden] = true;
    return count > 1;
}

static void add_rest(struct digest *digest, uint32_t parent, uint32_t depth)
{
    const struct outline_list *list = &digest->outline.lists[parent];
    struct digest_line *line = add_line(digest, DIGEST_REST, parent, depth);
    line->last = line->blamed = true;
    for (uint32_t i = 0; i < list->count; i++)
        if (!digest->shown[list->nodes[i]])
            line->blamed = line->blamed && node_at(digest, list->nodes[i])->blamed;
}

static bool add_cut(struct digest *digest, uint32_t parent, uint32_t depth)
{
    const struct outline_list *list = &digest->outline.lists[parent];
    bool waits = false;
    for (uint32_t i = 0; i < list->count; i++)
        if (digest->shown[list->nodes[i]])
            waits = waits || digest->levels[list->nodes[i]] > MOST_BLOCKED_LEVELS;
    if (!waits && depth < digest->wish.depth)
        return false;
    struct digest_line *line =
        add_line(digest, waits ? DIGEST_WAITS : DIGEST_DEEPER, parent, depth);
    line->last = true;
    line->blamed = line->blamed || waits;
    return digest->folded = true;
}

static void add_below(struct digest *digest, uint32_t parent, uint32_t depth)
{
    const struct outline_list *list = &digest->outline.lists[parent];
    uint32_t first, seen = 0, count = shown_children(digest, parent, &first);
    digest->folded = digest->folded || count < list->count;
    if (count == 0 || add_cut(digest, parent, depth))
        return;
    bool rest = rest_matters(digest, parent);
    count = shown_children(digest, parent, &first);
    for (uint32_t i = 0; i < list->count; i++)
        if (digest->shown[list->nodes[i]]) {
            bool last = ++seen == count && !rest;
            add_below(digest, add_chain(digest, list->nodes[i], depth, last), depth + 1);
        }
    if (rest)
        add_rest(digest, parent, depth);
}

static void fill(struct digest *digest, double least)
{
    digest->least = least;
    digest->least_blamed = fmax(least, LEAST_BLAMED);
    digest->count = 0;
    digest->folded = false;
    choose(digest);
    hide_bodies(digest);
    add_line(digest, DIGEST_NODE, 0, 0);
    add_below(digest, 0, 1);
}

void digest_init(struct digest *digest, const struct variance_tree *tree,
                 const struct digest_wish *wish)
{
    static const double steps[] = {0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3};
    *digest = (struct digest){.wish = *wish,
                              .shown = memory_zeroed(sizeof(bool) * tree->node_count),
                              .levels = memory_zeroed(tree->node_count)};
    outline_init(&digest->outline, tree, 0);
    count_levels(digest);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        fill(digest, steps[i]);
        if (digest->count <= wish->lines)
            break;
    }
}

void digest_release(struct digest *digest)
{
    outline_release(&digest->outline);
    memory_free(digest->shown);
    memory_free(digest->levels);
    memory_free(digest->lines);
    *digest = (struct digest){0};
}
