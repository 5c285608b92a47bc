/* run_tables.h - a result as tables for a database: exact ns, no row for what is 0.
 *
 *     intervals   interval, host, pid, tid, type, begin_ns, latency_ns
 *     nodes       node, parent, kind, name, file, line, height, blamed, calls, path
 *     cells       interval, node, own_ns, latency_ns
 *     ledger      owner, name, kind, file, line, waited_in, object, for_another, thread, sum_ns,
 *                 share_ppm, tail_share_ppm: a row for each part of a line of the root ledger
 *     owners      node, owner: the line that a leaf is of
 *
 * The root's parent is missing (NULL). A cell is there where a leaf took time in an interval: in
 * all other intervals it counts as 0. `latency_ns` stands in the cells once more, so that an engine
 * on many machines needs no join for a share. A node's number is its result's own; `path`, the ids
 * of the nodes from the root to it in 16 hexadecimal digits each, is that of every result of one
 * program. docs/export.md has the SQL. Borrow everything.
 */
#ifndef REPORT_VARIANCE_RUN_TABLES_H
#define REPORT_VARIANCE_RUN_TABLES_H

#include "report/kit/table.h"
#include "variance/cell_rows.h"
#include "variance/root_ledger.h"
#include "variance/variance_tree.h"

extern const struct table_kind intervals_table, nodes_table, cells_table, ledger_table,
    owners_table;

/* The facts are what the timelines know of a row's interval. */
struct interval_facts {
    const char *host;
    uint32_t pid, tid; /* where it began */
    const char *type;  /* "" where none was given */
    int64_t begin_ns, latency_ns;
};

void nodes_add_all(struct table *nodes, const struct variance_tree *tree);
void ledger_add_all(struct table *ledger, const struct variance_tree *tree,
                    const struct root_ledger *roots);
void owners_add_all(struct table *owners, const struct variance_tree *tree);
void intervals_add(struct table *intervals, const struct cell_row *row,
                   const struct interval_facts *facts);
void cells_add(struct table *cells, const struct cell_row *row, int64_t latency_ns);

#endif
