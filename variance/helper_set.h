/* helper_set.h - functions that take as long as their caller says: their time is the caller's.
 *
 *     audit    spin(4000)       10 calls, 4 ms each    }  spin is a helper: what it takes is
 *     parse    spin(50)        900 calls, 50 us each   }  audit's, and parse's
 *
 *     open     spin(n)         both short, or both long }  in the same request: it is a helper
 *     build    spin(n)                                  }
 *
 *     commit   log_flush()     100 calls, 2 ms each    }  log_flush is none: it is slow whoever
 *     abort    log_flush()      20 calls, 2 ms each    }  calls it
 *
 * A helper calls no function of the program that is timed, but for one of its own. Of its callers
 * weighed by their part of its share, a call takes HELPER_TIMES as long as of those weighed by
 * their calls, or longer; or it takes most of two siblings that vary together, by a correlation of
 * HELPER_TOGETHER or more, which calls that are slow by themselves do not. One that only a single caller reached in this run is a helper if the
 * program has other callers, and if HELPER_WRAPPED of that caller's share is the helper's. The
 * thresholds are chosen, not derived.
 *
 * The nearest function of the program above a call, on the same thread, is its caller.
 */
#ifndef VARIANCE_HELPER_SET_H
#define VARIANCE_HELPER_SET_H

#include "trace/function_table.h"
#include "variance/tree_way.h"
#include "variance/variance_tree.h"

#define HELPER_TIMES 1.3
#define HELPER_TOGETHER 0.5
#define HELPER_WRAPPED 0.8
#define HELPER_LEAST 0.01 /* of the variance: what has a smaller share is not looked at */

struct helper_set {
    bool *is_helper; /* by function */
};

void helper_set_init(struct helper_set *set, const struct variance_tree *tree,
                     const struct tree_way *ways, const struct function_table *functions);
void helper_set_release(struct helper_set *set);

#endif
