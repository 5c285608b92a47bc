/* csv.h - the interval table as three tables for a database: RFC 4180, exact ns, UTF-8.
 *
 *     intervals.csv   interval,host,pid,tid,type,begin_ns,latency_ns
 *     nodes.csv       node,parent,kind,name,file,line,height,blamed,calls
 *     cells.csv       interval,node,own_ns,latency_ns
 *
 * Texts are always quoted, numbers never; the root's parent is empty (NULL). A cell is there where
 * a leaf took time in an interval: in all other intervals it counts as 0. `latency_ns` stands in
 * the cells once more, so that an engine on many machines needs no join for a share. docs/export.md
 * has the SQL. Borrow everything; errors are the stream's (ferror).
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdio.h>

#include "variance/cell_rows.h"
#include "variance/variance_tree.h"

/* What the timelines know of a row's interval. */
struct csv_interval {
    const char *host;
    uint32_t pid, tid; /* where it began */
    const char *type;  /* "" where none was given */
    int64_t begin_ns, latency_ns;
};

void csv_write_nodes(FILE *out, const struct variance_tree *tree);
void csv_begin_intervals(FILE *out);
void csv_add_interval(FILE *out, const struct cell_row *row, const struct csv_interval *interval);
void csv_begin_cells(FILE *out);
void csv_add_cells(FILE *out, const struct cell_row *row, const struct csv_interval *interval);

#endif
