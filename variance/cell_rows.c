#include "variance/cell_rows.h"

#include "base/error.h"
#include "base/memory.h"
#include "variance/callee_table.h"
#include "variance/critical_path.h"
#include "variance/interval_table.h"
#include "variance/table_reader.h"
#include "variance/tree_shape.h"

static void visit_rows(const struct interval_table *table, const struct tree_shape *shape,
                       void (*take)(void *context, const struct cell_row *row), void *context)
{
    struct cell *cells = memory_alloc(sizeof *cells * table->node_count);
    struct table_reader reader;
    size_t r = 0;
    for (uint32_t part = 0; part < table->joined_count; part++) {
        table_reader_start(&reader, table, part);
        for (; table_reader_next(&reader); r++) {
            for (size_t c = 0; c < reader.row->cell_count; c++)
                cells[c] =
                    (struct cell){shape->own_of[reader.cells[c].node], reader.cells[c].own_ns};
            take(context,
                 &(struct cell_row){r, reader.row->interval, cells, reader.row->cell_count});
        }
        table_reader_end(&reader);
    }
    memory_free(cells);
}

void cell_rows_visit(const struct variance_tree *tree, const struct timelines *run,
                     const struct function_table *functions,
                     void (*take)(void *context, const struct cell_row *row), void *context)
{
    struct callee_table callees;
    struct interval_table table;
    struct variance_tree again = {0};
    struct tree_shape shape;
    callee_table_init(&callees, run, functions);
    interval_table_init(&table);
    critical_path_fill(&table, run, &callees);
    /* The same paths in the same order make the same shape. */
    tree_shape_build(&shape, &again, &table, &callees);
    if (again.node_count != tree->node_count)
        BUG("the cells are of another tree");
    visit_rows(&table, &shape, take, context);
    tree_shape_release(&shape);
    variance_tree_release(&again);
    interval_table_release(&table);
    callee_table_release(&callees);
}
