/* call_graph.h - the height of each function: the longest chain of calls below it.
 *
 *     main -> serve -> parse            height  main 2, serve 1, parse 0
 *               ^--- retry <--'         serve, retry and parse calling each other in a circle count
 *                                       as one function: all three have the height of the circle
 *
 * height = 0 without callees, else 1 + the greatest height of a callee (VProfiler, EuroSys'17,
 * section 3.2.2). Callees without a body are leaves. Calls through pointers count once they were
 * seen, by name or as one timed function within another. Linear in functions and calls; not
 * recursive. The result lives in `arena`.
 */
#ifndef VARIANCE_CALL_GRAPH_H
#define VARIANCE_CALL_GRAPH_H

#include <stdint.h>

#include "base/arena.h"
#include "symbol/seen_call.h"
#include "trace/function_table.h"

/* The heights are those of table->function_count functions: heights[function]. */
uint32_t *call_graph_heights(struct arena *arena, const struct function_table *table,
                             const struct seen_call *seen, uint32_t seen_count);

#endif
