/* html_parts.h - the sections of the page; each appends whole elements to `out`.
 */
#ifndef REPORT_VARIANCE_HTML_PARTS_H
#define REPORT_VARIANCE_HTML_PARTS_H

#include "report/kit/html_parts.h"
#include "report/variance/variance_report.h"

#define HTML_LEAST 0.001   /* of the latency's variance: less is folded in the tables */
#define HTML_FOLDED 0.01   /* the same, of factors and pairs */
#define LEDGER_FOLDED 0.01 /* the same, of lines of the root ledger */
enum { LEDGER_SHADES = 4 };

/* The shade in which a line of the root ledger is drawn everywhere: 1 (the strongest) and on; 0,
 * which is grey, where it is small or may be noise. */
uint32_t ledger_shade(const struct root_ledger *ledger, uint32_t line);
/* Writes the function's name and its place. */
void ledger_write_name(const struct ledger_line *line, struct str *out);

/* Says that what follows is without the outliers, where there are any. */
void html_outliers(const struct variance_report *report, struct str *out);
/* So many of the slowest intervals are left out of `report`. */
void html_strip(const struct variance_report *report, uint32_t without, struct str *out);
void html_ledger(const struct variance_report *report, struct str *out);
void html_waterfall(const struct variance_report *report, struct str *out);
void html_run_time(const struct variance_report *report, struct str *out);
/* A place for what is chosen in the histogram; the script shows it. */
void html_choice(const struct variance_report *report, struct str *out);
void html_icicle(const struct variance_report *report, struct str *out);
/* The shown intervals as data, by which the script adds up those that are chosen; `box_of` a node
 * is the box of the icicle that has it. */
void html_rows(const struct variance_report *report, const uint32_t *box_of, struct str *out);
void html_tree_table(const struct variance_report *report, struct str *out);
void html_factors(const struct variance_report *report, struct str *out);
/* Two sections in one: the heat maps, and below them the pairs (html_pairs). */
void html_covariances(const struct variance_report *report, struct str *out);
bool html_pairs(const struct variance_report *report, bool folded, struct str *out);

#endif
