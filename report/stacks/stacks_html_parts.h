/* stacks_html_parts.h - the sections of the page of stacks; stacks_html.c puts them together.
 *
 * Each function appends whole elements.
 */
#ifndef REPORT_STACKS_STACKS_HTML_PARTS_H
#define REPORT_STACKS_STACKS_HTML_PARTS_H

#include "report/kit/html_parts.h"
#include "report/stacks/stacks_page.h"
#include "report/stacks/stacks_report.h"

/* Nothing where no function was measured. */
void html_stacks_proof(const struct stacks_page *page, struct str *out);
void html_stacks_icicle(const struct stacks_page *page, struct str *out);
void html_stacks_functions(const struct stacks_page *page, struct str *out);
void html_stacks_threads(const struct stacks_page *page, struct str *out);

extern const char stacks_css[];
extern const char stacks_js[];

#endif
