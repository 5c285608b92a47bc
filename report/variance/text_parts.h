/* text_parts.h - the tables of the terminal story.
 *
 * text_tree draws what digest.h chose; dashed lines and light bars are what a waker did, the time
 * of the blocked call above told again. text_ledger tells who does it,
 * text_factors lists the first factors, text_pairs the largest covariances of siblings.
 */
#ifndef REPORT_VARIANCE_TEXT_PARTS_H
#define REPORT_VARIANCE_TEXT_PARTS_H

#include "report/kit/terminal.h"
#include "report/variance/variance_report.h"

#define TEXT_LEAST 0.01 /* of the latency's variance: less has no line */

/* Says that the tables are without the outliers, where there are any. */
void text_outliers(const struct variance_report *report, struct terminal *terminal);
void text_ledger(const struct variance_report *report, struct terminal *terminal);
void text_tree(const struct variance_report *report, struct terminal *terminal);
void text_tail(const struct variance_report *report, struct terminal *terminal);
void text_factors(const struct variance_report *report, struct terminal *terminal);
void text_pairs(const struct variance_report *report, struct terminal *terminal);

#endif
