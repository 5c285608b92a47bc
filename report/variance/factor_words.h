/* factor_words.h - how factors are written, and which of them is told first.
 *
 * The first one told is the first selected factor. That one may hold all of the time, as the
 * function with the annotations does, and then says nothing: in its place stands the first factor
 * below it that is worth a word.
 * A variance's figure is its share, since shares add up; a pair's is its contribution.
 */
#ifndef REPORT_VARIANCE_FACTOR_WORDS_H
#define REPORT_VARIANCE_FACTOR_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "report/variance/variance_report.h"

/* A selected factor is among the first k and above the threshold: it is opened next. */
bool factor_selected(const struct variance_report *report, const struct factor *factor);
/* False: the variance itself is not told from 0, so that no interval of a part of it means
 * anything. */
bool factors_steady(const struct variance_report *report);
/* A factor is doubtful where its 95 % interval holds 0. */
bool factor_doubtful(const struct factor *factor);
uint32_t factor_count(const struct variance_report *report);
double factor_figure(const struct factor *factor);
/* Gives the factor that is told first; NULL where none is. */
const struct factor *factor_first(const struct variance_report *report);
/* Writes "lock_wait" or "parse x commit", in at most `columns`. */
void factor_write_name(const struct factor *factor, size_t columns, bool utf8, struct str *out);

/* Writes "pthread_mutex_lock" for "pthread_mutex_lock (queue.lock)"; the node is of the name. */
void factor_write_plain(const char *name, const struct tree_node *node, struct str *out);
/* The node of the factor's first place that has the name. */
const struct tree_node *factor_node(const struct variance_tree *tree, const struct factor *factor,
                                    const char *name);
/* What experiments say that it would bring if it were faster; NULL: there were none with it. */
const char *factor_mending(const struct variance_report *report, const struct factor *factor);

/* Gives a factor's time in a mean interval, over all its places; NAN for a pair. */
double factor_mean_ns(const struct variance_tree *tree, const struct factor *factor);

/* Tells whether `node` is `above` or stands below it; NODE_NONE does not. */
bool node_is_below(const struct variance_tree *tree, uint32_t above, uint32_t node);
/* Writes "src/server.c:211"; nothing where it is unknown. */
void node_write_place(const struct tree_node *node, struct str *out);

#endif
