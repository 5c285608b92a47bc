/* stacks_tables.h - contexts and functions as tables, for another engine.
 */
#ifndef REPORT_STACKS_STACKS_TABLES_H
#define REPORT_STACKS_STACKS_TABLES_H

#include "report/kit/table.h"
#include "stacks/stacks.h"

extern const struct table_kind stack_contexts_table, stack_functions_table, stack_threads_table;

/* Nodes without any time are left out; the others keep their numbers. */
void stack_contexts_add_all(struct table *table, const struct stacks *stacks);
void stack_functions_add_all(struct table *table, const struct stacks *stacks);
void stack_threads_add_all(struct table *table, const struct stacks *stacks);

#endif
