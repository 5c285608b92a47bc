/* variance.h - from a run's timelines to its variance tree and factors.
 *
 *     struct variance_result result;
 *     if (variance_analyze(&result, &run, &table, &error)) { ... variance_result_release(&result);
 * }
 *
 * timelines -> critical path of each interval -> interval table -> variance tree -> factors.
 * Reads `run` and `table` only, in as many threads as base/parallel.h says; the result has the same
 * bits however many. ERROR_NOTHING: no complete interval.
 */
#ifndef VARIANCE_VARIANCE_H
#define VARIANCE_VARIANCE_H

#include "base/error.h"
#include "symbol/seen_call.h"
#include "trace/function_table.h"
#include "trace/timeline.h"
#include "variance/factor.h"
#include "variance/outlier.h"
#include "variance/root_ledger.h"
#include "variance/tail_ledger.h"
#include "variance/variance_tree.h"
#include "variance/waited_list.h"

struct variance_result {
    struct variance_tree tree;
    struct factor_list factors;
    struct root_ledger roots;
    struct tail_ledger tail;
    struct waited_list waited;
    struct outliers outliers;
    struct seen_call *seen; /* each once; owned by tree.arena */
    uint32_t seen_count;
    uint32_t *makers; /* functions that made threads that woke, of which no function is known; the
                         same */
    uint32_t maker_count;
};

bool variance_analyze(struct variance_result *result, const struct timelines *run,
                      const struct function_table *table, struct error *error);
/* The same without the `count` slowest intervals. */
bool variance_analyze_without(struct variance_result *result, const struct timelines *run,
                              const struct function_table *table, uint32_t count,
                              struct error *error);
void variance_result_release(struct variance_result *result);

#endif
