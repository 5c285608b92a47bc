/* text_parts.h - the tables of the terminal story; text.c tells the rest.
 *
 * text_tree draws what digest.h chose; dashed lines and light bars are what a waker did, the time
 * of the blocked call above told again. text_factors lists the first factors, text_waited
 * whom they waited for, text_pairs the largest covariances of siblings.
 */
#ifndef REPORT_KIT_TEXT_PARTS_H
#define REPORT_KIT_TEXT_PARTS_H

#include "report/kit/report.h"
#include "report/kit/terminal.h"

#define TEXT_LEAST 0.01 /* of the latency's variance: less has no line */

void text_histogram(const struct report *report, struct terminal *terminal);
void text_tail(const struct report *report, struct terminal *terminal);
void text_tree(const struct report *report, struct terminal *terminal);
void text_factors(const struct report *report, struct terminal *terminal);
/* Who was waited for; nothing where nobody was. */
void text_waited(const struct report *report, struct terminal *terminal);
void text_pairs(const struct report *report, struct terminal *terminal);
/* What kinds of intervals there are, and what was asked of them; nothing where neither was said. */
void text_types(const struct report *report, struct terminal *terminal);
void text_values(const struct report *report, struct terminal *terminal);
/* What is to be said of the numbers as a whole, and the doubts; of a result or a comparison. */
void text_trust(const char *summary, const struct report_warning *warnings, uint32_t count,
                struct terminal *terminal);

#endif
