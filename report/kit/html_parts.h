/* html_parts.h - what the page is made of, and the sections that all families share; html.c puts
 * them together.
 *
 * Each function appends whole elements to `out`. The page is complete without its script, which
 * adds zooming, the tooltip and sorting; what the script needs stands in <script
 * type="application/json">. Names enter the page through html_escape or html_json only.
 */
#ifndef REPORT_KIT_HTML_PARTS_H
#define REPORT_KIT_HTML_PARTS_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/report.h"

/* Escapes for text and for "quoted" attributes; bad bytes and controls become U+FFFD. */
void html_escape(struct str *out, const char *text);
/* Escapes a text as html_escape does, cut to `columns`. */
void html_short(struct str *out, const char *text, size_t columns);
/* A place is "src/server.c:211", which a click marks whole, to be copied. */
void html_place(struct str *out, const char *place);
/* Writes `value` for the inside of a <script type="application/json">, and gives it up. */
void html_json(struct str *out, json_t *value);
/* A cell is a <td> with what is shown and what is sorted by. */
void html_number_cell(struct str *out, const char *shown, double sorted);

/* The page begins with its head and these styles, and ends with these scripts; the last is NULL. */
void html_page_begin(struct str *out, const char *title, const char *const *styles);
void html_page_end(struct str *out, const char *const *scripts);
/* Escapes a text in which no number parts from its percent sign. */
void html_tied(struct str *out, const char *text);
/* The doubts stand beside the headline by their codes, each of which opens. */
void html_doubts(const struct report_warning *warnings, uint32_t count, struct str *out);
/* And in full. */
void html_warnings(const struct report_warning *warnings, uint32_t count, struct str *out);
/* In full on paper alone, where nothing opens. */
void html_paper_doubts(const struct report_warning *warnings, uint32_t count, struct str *out);
/* What a page begins with: which command it was, what has been seen, the sentences that matter most, and the doubts. */
void html_header(const char *command, const char *seen, const char *sentences,
                 const struct doubts *doubts, struct str *out);
/* What is known of where a page is from, and that the family's JSON ("waits.json") has every number; NULL: none lies
 * beside it. */
void html_origin(const struct report_origin *origin, const char *family, struct str *out);
/* One line of it, within a <dl>. A value that is NULL is told to be unknown. */
void html_origin_row(const char *label, const char *value, struct str *out);
/* To search an icicle and see all of it again; the script shows them. */
void html_icicle_tools(struct str *out);

void html_histogram(const struct report *report, struct str *out);
void html_types(const struct report *report, struct str *out);
void html_values(const struct report *report, struct str *out);
void html_timelines(const struct report *report, struct str *out);

/* The files of report/assets/ are put in at build time; they end with a zero byte. */
extern const char report_css[];
extern const char drawings_css[];
extern const char report_js[];
extern const char choice_js[];
extern const char compare_css[];
extern const char compare_js[];

#endif
