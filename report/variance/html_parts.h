/* html_parts.h - the sections of the page; each appends whole elements to `out`.
 */
#ifndef REPORT_VARIANCE_HTML_PARTS_H
#define REPORT_VARIANCE_HTML_PARTS_H

#include "report/kit/html_parts.h"
#include "report/variance/variance_report.h"

#define HTML_LEAST 0.001 /* of the latency's variance: less is folded in the tables */

/* Says that what follows is without the outliers, where there are any. */
void html_outliers(const struct variance_report *report, struct str *out);
void html_ledger(const struct variance_report *report, struct str *out);
void html_waterfall(const struct variance_report *report, struct str *out);
void html_icicle(const struct variance_report *report, struct str *out);
void html_tree_table(const struct variance_report *report, struct str *out);
void html_factors(const struct variance_report *report, struct str *out);
void html_heat_map(const struct variance_report *report, struct str *out);
void html_pairs(const struct variance_report *report, struct str *out);

#endif
