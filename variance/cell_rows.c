#include "variance/cell_rows.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "interval/row_list.h"
#include "symbol/callee_table.h"
#include "symbol/object_naming.h"
#include "variance/critical_path.h"
#include "variance/interval_table.h"

/* Which node of the tree a path of the table is. */
struct path_node {
    uint32_t node, leaf; /* the leaf takes its own time */
};

struct visit {
    const struct variance_tree *tree;
    const struct callee_table *callees;
    const struct row_list *rows;
    const struct interval_table *table;
    struct path_node *paths; /* by path, as many as were met */
    size_t path_count, path_capacity;
    struct cell *cells;
    size_t cell_capacity;
    void (*take)(void *context, const struct cell_row *row);
    void *context;
};

/* A path is the node that variance/tree_shape.c names for it. */
static bool is_node_of(const struct visit *visit, const struct tree_node *node,
                       const struct table_node *path)
{
    const struct callee *callee = &visit->callees->items[path->callee];
    return node_kind_of_call(path->kind) == node_kind_of_call(node->kind) &&
           strcmp(node->name, callee->name) == 0 &&
           (!node_kind_is_callable(path->kind) || node->function == callee->function);
}

static uint32_t body_of(const struct variance_tree *tree, uint32_t node)
{
    for (uint32_t c = tree->nodes[node].first_child; c != NODE_NONE;
         c = tree->nodes[c].next_sibling)
        if (tree->nodes[c].kind == NODE_BODY)
            return c;
    return node;
}

static struct path_node find_path(const struct visit *visit, const struct table_node *path)
{
    uint32_t node = 0;
    if (path->parent != NODE_NONE) {
        node = visit->tree->nodes[visit->paths[path->parent].node].first_child;
        while (node != NODE_NONE && !is_node_of(visit, &visit->tree->nodes[node], path))
            node = visit->tree->nodes[node].next_sibling;
    }
    if (node == NODE_NONE)
        BUG("the cells are of another tree");
    return (struct path_node){node, body_of(visit->tree, node)};
}

static void learn_paths(struct visit *visit)
{
    while (visit->path_count < visit->table->node_count) {
        struct path_node known = find_path(visit, &visit->table->nodes[visit->path_count]);
        VEC_PUSH(visit->paths, visit->path_count, visit->path_capacity) = known;
    }
}

static void visit_row(void *context, uint64_t number)
{
    struct visit *visit = context;
    const struct interval_table *table = visit->table;
    struct cell_row row = {.number = number, .interval = visit->rows->intervals[number]};
    learn_paths(visit);
    for (size_t i = 0; i < table->cell_count; i++)
        VEC_PUSH(visit->cells, row.cell_count, visit->cell_capacity) =
            (struct cell){visit->paths[table->cells[i].node].leaf, table->cells[i].own_ns};
    row.cells = visit->cells;
    visit->take(visit->context, &row);
}

void cell_rows_visit_some(const struct variance_tree *tree, const struct timelines *run,
                          const struct function_table *functions, const struct row_list *rows,
                          void (*take)(void *context, const struct cell_row *row), void *context)
{
    struct callee_table callees;
    struct interval_table table;
    struct visit visit = {.tree = tree,
                          .callees = &callees,
                          .rows = rows,
                          .table = &table,
                          .take = take,
                          .context = context};
    callee_table_init(&callees, run, functions);
    object_naming_fill(&callees);
    interval_table_init(&table, NULL);
    critical_path_visit(&table, run, rows, &callees, visit_row, &visit);
    memory_free(visit.paths);
    memory_free(visit.cells);
    interval_table_release(&table);
    callee_table_release(&callees);
}

void cell_rows_visit(const struct variance_tree *tree, const struct timelines *run,
                     const struct function_table *functions,
                     void (*take)(void *context, const struct cell_row *row), void *context)
{
    struct row_list rows;
    row_list_init(&rows, run);
    cell_rows_visit_some(tree, run, functions, &rows, take, context);
    row_list_release(&rows);
}
