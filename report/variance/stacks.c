#include "report/variance/stacks.h"

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/utf8.h"

int64_t stack_weight(const struct tree_node *leaf, enum stack_weight weight)
{
    double value = weight == STACK_MEAN   ? leaf->mean_ns
                   : weight == STACK_TAIL ? leaf->tail_share * 1e6
                                          : leaf->share * 1e6;
    return isfinite(value) && fabs(value) < 9e18 ? llround(value) : 0;
}

void stack_frame_name(struct str *name, const struct tree_node *node)
{
    utf8_clean(name, node->name[0] ? node->name : "[no name]");
    if (node->kind == NODE_WOKEN_BY || node->kind == NODE_WAIT || node->kind == NODE_QUEUE ||
        node->kind == NODE_IO)
        str_printf(name, " [%s]", node_kind_name(node->kind));
}

uint32_t stack_next_node(const struct variance_tree *tree, uint32_t node)
{
    if (tree->nodes[node].first_child != NODE_NONE)
        return tree->nodes[node].first_child;
    while (node != NODE_NONE && tree->nodes[node].next_sibling == NODE_NONE)
        node = tree->nodes[node].parent;
    return node == NODE_NONE ? NODE_NONE : tree->nodes[node].next_sibling;
}

/* A name stays on one line; what must not be printed is not. */
static void append_plain(struct str *out, const char *text)
{
    for (uint32_t point; (point = utf8_next(&text)) != 0;)
        utf8_append(out, point < ' ' ? ' ' : utf8_shown(point));
}

/* ---- folded ---- */

static void fold_frame(FILE *out, const struct tree_node *node)
{
    struct str name = {0}, plain = {0};
    stack_frame_name(&name, node);
    append_plain(&plain, str_text(&name));
    for (const char *c = str_text(&plain); *c; c++)
        putc(*c == ';' ? ':' : *c, out);
    str_release(&name);
    str_release(&plain);
}

/* A body is its function's own time: it adds no frame, but at the root. */
static bool has_frame(const struct variance_tree *tree, uint32_t node)
{
    return tree->nodes[node].kind != NODE_BODY || tree->nodes[node].parent == 0;
}

static void fold_stack(FILE *out, const struct variance_tree *tree, uint32_t leaf, uint32_t *path)
{
    uint32_t depth = 0;
    for (uint32_t n = leaf; n != NODE_NONE; n = tree->nodes[n].parent)
        if (has_frame(tree, n))
            path[depth++] = n;
    while (depth-- > 0) {
        fold_frame(out, &tree->nodes[path[depth]]);
        if (depth)
            putc(';', out);
    }
}

uint32_t folded_write(FILE *out, const struct variance_tree *tree, enum stack_weight weight)
{
    uint32_t negative = 0;
    uint32_t *path = memory_alloc(sizeof *path * (tree->node_count + 1));
    for (uint32_t n = tree->node_count ? 0 : NODE_NONE; n != NODE_NONE;
         n = stack_next_node(tree, n)) {
        if (tree->nodes[n].first_child != NODE_NONE)
            continue;
        int64_t value = stack_weight(&tree->nodes[n], weight);
        negative += value < 0;
        if (value <= 0)
            continue;
        fold_stack(out, tree, n, path);
        fprintf(out, " %" PRId64 "\n", value);
    }
    memory_free(path);
    return negative;
}

/* ---- DOT ---- */

/* Graphviz reads "&amp;" and its like in a label as in HTML. */
static void dot_text(FILE *out, const char *text)
{
    struct str clean = {0};
    append_plain(&clean, text);
    for (const char *c = str_text(&clean); *c; c++) {
        if (*c == '"' || *c == '\\')
            putc('\\', out);
        putc(*c, out);
        if (*c == '&') /* else "&lt;" in a name would be an entity */
            fputs("amp;", out);
    }
    str_release(&clean);
}

static void dot_node(FILE *out, const struct tree_node *node, uint32_t index)
{
    struct str name = {0};
    stack_frame_name(&name, node);
    double strength = fmin(fabs(node->share), 1);
    fprintf(out, "  n%" PRIu32 " [label=\"", index);
    dot_text(out, str_text(&name));
    fprintf(out, "\\n%.1f %%, mean %.1f us\", fillcolor=\"%.3f %.3f 1\"%s];\n", node->share * 100,
            node->mean_ns / 1e3, node->share < 0 ? 0.58 : 0.08, strength * 0.8,
            node->blamed ? ", style=\"filled,dashed\"" : "");
    if (node->parent != NODE_NONE)
        fprintf(out, "  n%" PRIu32 " -> n%" PRIu32 " [penwidth=%.2f%s];\n", node->parent, index,
                0.5 + 4 * strength, node->blamed ? ", style=dashed" : "");
    str_release(&name);
}

void dot_write(FILE *out, const struct variance_tree *tree, double least)
{
    bool *shown = memory_zeroed(tree->node_count + 1);
    for (uint32_t n = tree->node_count; n-- > 0;) {
        const struct tree_node *node = &tree->nodes[n];
        shown[n] = shown[n] || n == 0 || fabs(node->share) >= least;
        if (shown[n] && node->parent != NODE_NONE)
            shown[node->parent] = true;
    }
    fputs("digraph variance {\n"
          "  node [shape=box, style=filled, fontname=\"sans-serif\"];\n",
          out);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (shown[n])
            dot_node(out, &tree->nodes[n], n);
    fputs("}\n", out);
    memory_free(shown);
}
