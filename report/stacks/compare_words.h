/* compare_words.h - the words in which two sides of contexts are compared: sides, units, differences, places.
 *
 *     compare_difference(4.9e6, false, &out)           "+4.90 ms"
 *     compare_node_name(told, node, &out)              "usleep"
 *     compare_place(told, node, &out)                  "usleep of libc.so.6 (below deflate of mod_deflate.so)"
 *
 * Nodes are those of the comparison's `laid`. Appends; borrows everything.
 */
#ifndef REPORT_STACKS_COMPARE_WORDS_H
#define REPORT_STACKS_COMPARE_WORDS_H

#include "report/stacks/stacks_compare.h"

/* "B", or "slow". */
const char *compare_side(const struct stacks_compare *told, int side);
/* "request", "second", "run" */
const char *compare_unit_name(const struct stacks_compare *told);
void compare_difference(double ns, bool utf8, struct str *out);
/* "+4.70 ms .. +5.10 ms"; nothing where it is not known. */
void compare_interval(const double ci95[2], bool utf8, struct str *out);
void compare_node_name(const struct stacks_compare *told, uint32_t node, struct str *out);
void compare_place(const struct stacks_compare *told, uint32_t node, struct str *out);
/* Its frame, or NULL of the root. */
const struct context_frame *compare_frame(const struct stacks_compare *told, uint32_t node);
/* "both", "new", "gone" */
const char *compare_presence(const struct laid_node *node);

#endif
