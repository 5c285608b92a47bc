/* compare_html_parts.h - the sections of the page of two sides of stacks; compare_html.c puts them together.
 *
 * Each function appends whole elements.
 */
#ifndef REPORT_STACKS_COMPARE_HTML_PARTS_H
#define REPORT_STACKS_COMPARE_HTML_PARTS_H

#include "report/kit/html_parts.h"
#include "report/stacks/compare_words.h"

void html_compare_icicle(const struct stacks_compare *told, struct str *out);
void html_compare_contexts(const struct stacks_compare *told, struct str *out);
void html_compare_paths(const struct stacks_compare *told, struct str *out);

#endif
