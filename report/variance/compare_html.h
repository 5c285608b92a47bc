/* compare_html.h - the sections of the comparison's page; each appends whole elements to `out`.
 *
 *     compare_html.c             head, verdicts, numbers, doubts
 *     compare_html_histogram.c   the latencies of both on one scale
 *     compare_html_dumbbells.c   from A to B with the interval of B, row by row
 *     compare_html_roots.c       whom it goes back to, in A and in B
 *     compare_html_tree.c        A's tree laid over B's, as icicles
 *
 * The page is complete without its script, which adds zooming and the tooltip.
 */
#ifndef REPORT_VARIANCE_COMPARE_HTML_H
#define REPORT_VARIANCE_COMPARE_HTML_H

#include "report/kit/html_parts.h"
#include "report/variance/compare_report.h"
#include "report/variance/compare_words.h"

void html_compare_histogram(const struct comparison *comparison, struct str *out);
void html_compare_dumbbells(const struct comparison *comparison, struct str *out);
void html_compare_roots(const struct comparison *comparison, struct str *out);
void html_compare_tree(const struct comparison *comparison, struct str *out);

#endif
