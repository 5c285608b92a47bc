/* text_parts.h - the two tables of the terminal story; text.c tells the rest.
 *
 * text_tree draws nodes and pairs of at least 1 %; dashed lines and light bars are what a waker
 * did, the time of the blocking call above told again. text_factors lists the first factors.
 */
#ifndef REPORT_TEXT_PARTS_H
#define REPORT_TEXT_PARTS_H

#include "report/report.h"
#include "report/terminal.h"

#define TEXT_LEAST 0.01 /* of the latency's variance: less is folded into "n more" */

void text_tree(const struct report *report, struct terminal *terminal);
void text_factors(const struct report *report, struct terminal *terminal);

#endif
