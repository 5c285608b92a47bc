#include "variance/tree_shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "variance/call_graph.h"
#include "variance/tree_way.h"

/* A node of the tree to be: a path, or the body of one. */
struct twig {
    uint32_t path;
    bool body;
    enum node_kind kind;
    const struct callee *callee; /* NULL: the root */
    __int128 total;
};

/* The twigs below path p are twigs[first[p]] .. twigs[first[p + 1] - 1]. */
struct twig_list {
    struct twig *twigs;
    uint32_t *first;
};

struct path_totals {
    __int128 *own;
    __int128 *all;
    uint32_t *children;
};

static const struct callee *path_callee(const struct interval_table *table,
                                        const struct callee_table *callees, uint32_t path)
{
    return path == TABLE_ROOT ? NULL : &callees->items[table->nodes[path].callee];
}

static void totals_init(struct path_totals *totals, const struct interval_table *table)
{
    totals->own = memory_zeroed(sizeof *totals->own * table->node_count);
    totals->all = memory_zeroed(sizeof *totals->all * table->node_count);
    totals->children = memory_zeroed(sizeof *totals->children * table->node_count);
    for (uint32_t p = table->node_count; p-- > 0;) {
        totals->own[p] = table->nodes[p].own_ns;
        totals->all[p] += totals->own[p];
        if (p == TABLE_ROOT)
            break;
        totals->all[table->nodes[p].parent] += totals->all[p];
        totals->children[table->nodes[p].parent]++;
    }
}

static void totals_release(struct path_totals *totals)
{
    memory_free(totals->own);
    memory_free(totals->all);
    memory_free(totals->children);
}

static bool has_body(const struct path_totals *totals, uint32_t path)
{
    return (path == TABLE_ROOT || totals->children[path]) && totals->own[path] > 0;
}

/* The order is that of siblings; no two are equal. Paths and callees have their numbers from
 * whoever met them first. */
static int twig_order(const void *a, const void *b)
{
    const struct twig *s = a, *t = b;
    if (s->total != t->total)
        return s->total > t->total ? -1 : 1;
    if (s->kind != t->kind)
        return s->kind < t->kind ? -1 : 1;
    if (!s->callee || !t->callee)
        return 0;
    int names = strcmp(s->callee->name, t->callee->name);
    if (names || s->callee->body != t->callee->body)
        return names ? names : s->callee->body ? -1 : 1;
    return s->callee->function < t->callee->function ? -1
                                                     : s->callee->function > t->callee->function;
}

static void twig_list_fill(struct twig_list *list, const struct interval_table *table,
                           const struct callee_table *callees, const struct path_totals *totals)
{
    uint32_t *fill = memory_alloc(sizeof *fill * table->node_count);
    memcpy(fill, list->first, sizeof *fill * table->node_count);
    for (uint32_t p = 0; p < table->node_count; p++) {
        const struct callee *callee = path_callee(table, callees, p);
        if (p != TABLE_ROOT)
            list->twigs[fill[table->nodes[p].parent]++] =
                (struct twig){p, false, table->nodes[p].kind, callee, totals->all[p]};
        if (has_body(totals, p))
            list->twigs[fill[p]++] = (struct twig){p, true, NODE_BODY, callee, totals->own[p]};
    }
    memory_free(fill);
    for (uint32_t p = 0; p < table->node_count; p++)
        qsort(list->twigs + list->first[p], list->first[p + 1] - list->first[p],
              sizeof *list->twigs, twig_order);
}

/* The result is the number of twigs. */
static uint32_t twig_list_init(struct twig_list *list, const struct interval_table *table,
                               const struct callee_table *callees)
{
    struct path_totals totals;
    totals_init(&totals, table);
    list->first = memory_zeroed(sizeof *list->first * ((size_t)table->node_count + 1));
    for (uint32_t p = 0; p < table->node_count; p++)
        list->first[p + 1] = list->first[p] + totals.children[p] + has_body(&totals, p);
    uint32_t count = list->first[table->node_count];
    list->twigs = memory_zeroed(sizeof *list->twigs * count);
    twig_list_fill(list, table, callees, &totals);
    totals_release(&totals);
    return count;
}

/* A node's place is where the function stands; of a call without a body in the tree, where the call
 * stands, or if that is not known, where the caller does. */
static void place_node(struct variance_tree *tree, struct tree_node *node,
                       const struct function_table *functions, uint32_t function, uint32_t site)
{
    const struct tree_node *parent = &tree->nodes[node->parent];
    const char *file = "";
    if (function != FUNCTION_NONE && functions->functions[function].body) {
        file = functions->functions[function].file;
        node->line = functions->functions[function].line;
    } else if (site > 0 && site < functions->probe_count) {
        file = functions->probes[site].file;
        node->line = functions->probes[site].line;
        uint32_t within = functions->probes[site].within;
        if (within < functions->function_count)
            node->within = within;
        if ((!file || !file[0]) && node->within != FUNCTION_NONE)
            file = functions->functions[within].file;
    } else if (node_kind_is_callable(node->kind) && !tree_way_begins(node, parent)) {
        file = parent->file;
        node->line = parent->line;
    }
    node->file = file ? arena_strdup(&tree->arena, file) : "";
}

/* The id is made of what tells siblings apart, and nothing that depends on what ran: a function and
 * a call of it are one node, and the place of a call is that of whichever call was met. */
static uint64_t id_of(const struct tree_node *parent, const struct tree_node *node, bool has_source)
{
    enum node_kind kind = node_kind_of_call(node->kind);
    uint64_t name = hash_bytes(node->name, strlen(node->name));
    return hash_mix(hash_mix(parent->id ^ name) + 2 * (uint64_t)kind + has_source);
}

static void set_body(struct variance_tree *tree, struct tree_node *node,
                     const struct tree_node *parent)
{
    bool waits = parent->kind == NODE_WAIT || parent->kind == NODE_QUEUE;
    const char *format = wait_kind_is_for_processor(parent->wait)
                             ? "%s [it is not known who had it]"
                         : waits ? "%s [before its thread began]"
                                 : "%s [body]";
    bool root = parent->kind == NODE_INTERVAL;
    node->name =
        root ? "[outside timed functions]" : arena_printf(&tree->arena, format, parent->name);
    node->plain =
        root || !parent->object ? node->name : arena_printf(&tree->arena, format, parent->plain);
    node->object = parent->object;
    node->file = parent->file;
    node->line = parent->line;
    node->calls = parent->calls;
    node->id = id_of(parent, node, false);
}

static void set_names(struct variance_tree *tree, struct tree_node *node,
                      const struct callee_table *callees, uint32_t callee)
{
    const char *object = callee_object(callees, callee);
    node->name = node->plain = arena_strdup(&tree->arena, callees->items[callee].name);
    if (!object)
        return;
    node->object = arena_strdup(&tree->arena, object);
    node->lock = callee_is_lock(callees, callee);
    node->plain = arena_strdup(&tree->arena, callees->items[callee_plain(callees, callee)].name);
}

static void set_node(struct variance_tree *tree, uint32_t index, const struct twig *twig,
                     const struct interval_table *table, const struct callee_table *callees)
{
    struct tree_node *node = &tree->nodes[index];
    const struct tree_node *parent = &tree->nodes[node->parent];
    node->kind = twig->kind;
    node->first_child = NODE_NONE;
    node->function = node->within = FUNCTION_NONE;
    node->file = "";
    node->blamed = node->kind == NODE_WOKEN_BY || node->kind == NODE_FOR_ANOTHER || parent->blamed;
    if (twig->body) {
        set_body(tree, node, parent);
        return;
    }
    set_names(tree, node, callees, table->nodes[twig->path].callee);
    node->calls = table->nodes[twig->path].calls;
    node->id = id_of(parent, node, twig->callee->body);
    node->blocked = table->nodes[twig->path].blocked;
    if (node_kind_is_callable(node->kind)) {
        node->function = twig->callee->function;
        node->body = twig->callee->body;
    }
    if (node->kind == NODE_WAIT || node->kind == NODE_QUEUE || node->kind == NODE_IO)
        node->wait = twig->callee->wait;
    place_node(tree, node, callees->table, node->function, table->nodes[twig->path].site);
}

static void set_root(struct variance_tree *tree)
{
    tree->nodes[0] = (struct tree_node){.kind = NODE_INTERVAL,
                                        .name = "interval",
                                        .plain = "interval",
                                        .function = FUNCTION_NONE,
                                        .within = FUNCTION_NONE,
                                        .file = "",
                                        .parent = NODE_NONE,
                                        .first_child = NODE_NONE,
                                        .next_sibling = NODE_NONE,
                                        .calls = tree->intervals.count};
    tree->node_count = 1;
}

/* The function appends the children of `parent`, which is the node of `path`; path_at says which
 * path a node is. */
static void add_children(struct variance_tree *tree, struct tree_shape *shape,
                         const struct twig_list *list, const struct interval_table *table,
                         const struct callee_table *callees, uint32_t parent, uint32_t *path_at)
{
    uint32_t path = path_at[parent];
    uint32_t end = list->first[path + 1];
    for (uint32_t i = list->first[path]; i < end; i++) {
        const struct twig *twig = &list->twigs[i];
        uint32_t index = tree->node_count++;
        if (i == list->first[path])
            tree->nodes[parent].first_child = index;
        tree->nodes[index].parent = parent;
        tree->nodes[index].next_sibling = i + 1 < end ? index + 1 : NODE_NONE;
        set_node(tree, index, twig, table, callees);
        path_at[index] = twig->body ? NODE_NONE : twig->path;
        shape->own_of[twig->path] = index;
        if (!twig->body)
            shape->node_of[twig->path] = index;
    }
}

/* A node below a function was called by it, if through others that were not timed, which may have
 * called it through a pointer. */
static bool is_seen_call(const struct tree_node *parent, const struct tree_node *node)
{
    return parent->kind == NODE_FUNCTION && parent->function != FUNCTION_NONE &&
           (node->kind == NODE_FUNCTION || node->kind == NODE_CALL) &&
           node->function != FUNCTION_NONE;
}

static uint32_t *find_heights(struct arena *arena, const struct variance_tree *tree,
                              const struct callee_table *callees)
{
    uint32_t count = callees->seen_count;
    struct seen_call *seen = ARENA_ARRAY(arena, struct seen_call, count + tree->node_count);
    for (uint32_t i = 0; i < count; i++)
        seen[i] = callees->seen[i];
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];
        if (is_seen_call(parent, node))
            seen[count++] = (struct seen_call){parent->function, node->function};
    }
    return call_graph_heights(arena, callees->table, seen, count);
}

static void set_heights(struct variance_tree *tree, const struct callee_table *callees)
{
    struct arena scratch = {0};
    const uint32_t *heights = find_heights(&scratch, tree, callees);
    uint32_t greatest = 0;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        struct tree_node *node = &tree->nodes[i];
        node->height = node->function == FUNCTION_NONE ? 0 : heights[node->function];
        if (!node->blamed && node->height > greatest)
            greatest = node->height;
    }
    tree->graph_height = greatest + 1;
    tree->nodes[0].height = tree->graph_height;
    arena_release(&scratch);
}

void tree_shape_build(struct tree_shape *shape, struct variance_tree *tree,
                      const struct interval_table *table, const struct callee_table *callees)
{
    struct twig_list list;
    uint32_t count = twig_list_init(&list, table, callees) + 1;
    uint32_t *path_at = memory_alloc(sizeof *path_at * count);
    tree->nodes = ARENA_ARRAY(&tree->arena, struct tree_node, count);
    shape->node_of = memory_zeroed(sizeof *shape->node_of * table->node_count);
    shape->own_of = memory_zeroed(sizeof *shape->own_of * table->node_count);
    set_root(tree);
    path_at[0] = TABLE_ROOT;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (path_at[i] != NODE_NONE)
            add_children(tree, shape, &list, table, callees, i, path_at);
    set_heights(tree, callees);
    memory_free(path_at);
    memory_free(list.twigs);
    memory_free(list.first);
}

void tree_shape_release(struct tree_shape *shape)
{
    memory_free(shape->node_of);
    memory_free(shape->own_of);
}
