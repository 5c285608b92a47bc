/* waits_html_parts.h - the sections of the page of waits; waits_html.c puts them together.
 *
 * Each function appends whole elements. Rows carry the numbers of their edge or groups (data-edge,
 * data-from, data-to, data-group), by which the script finds them.
 */
#ifndef REPORT_WAITS_WAITS_HTML_PARTS_H
#define REPORT_WAITS_WAITS_HTML_PARTS_H

#include "report/kit/html_parts.h"
#include "report/waits/waits_page.h"
#include "report/waits/waits_report.h"

/* Cells of a table: a name, and that of a group; NO_GROUP: records are missing. */
void html_waits_name_cell(const char *name, struct str *out);
void html_waits_group_cell(const struct waits *waits, uint32_t group, struct str *out);
void html_waits_drawing(const struct waits_page *page, const struct waits_drawing *drawing,
                        const char *id, struct str *out);
void html_waits_edges(const struct waits_page *page, struct str *out);
void html_waits_groups(const struct waits_page *page, struct str *out);
void html_waits_processor(const struct waits_page *page, struct str *out);
void html_waits_knots(const struct waits_page *page, struct str *out);
/* Nothing where no wait was replayed, or there are no requests. */
void html_waits_worth(const struct waits_page *page, struct str *out);
void html_waits_requests(const struct waits_page *page, struct str *out);
/* For the script: timelines of the edges that matter most, and stacks of all. */
void html_waits_pairs(const struct waits_page *page, struct str *out);
void html_waits_stacks(const struct waits_page *page, struct str *out);

extern const char waits_css[];
extern const char waits_js[];

#endif
