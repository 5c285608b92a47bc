/* waits_tables.h - a run's waits as tables for another engine, and as a graph for Graphviz.
 *
 *     table_open(&wait_edges_table, &csv_format, out); wait_edges_add_all(table, waits);
 *
 * Shares are millionths (_ppm). An edge names its groups by the numbers they have in the other table.
 */
#ifndef REPORT_WAITS_WAITS_TABLES_H
#define REPORT_WAITS_WAITS_TABLES_H

#include "report/kit/table.h"
#include "waits/waits.h"

extern const struct table_kind wait_groups_table, wait_edges_table, wait_processor_table;

void wait_groups_add_all(struct table *table, const struct waits *waits);
void wait_edges_add_all(struct table *table, const struct waits *waits);
void wait_processor_add_all(struct table *table, const struct waits *waits);

/* Edges that count and whose share is `least` or more, the first knot's in red. */
void waits_dot_write(FILE *out, const struct waits *waits, double least);

#endif
