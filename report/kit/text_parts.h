/* text_parts.h - the tables of the terminal story that all families share; text.c tells the rest.
 */
#ifndef REPORT_KIT_TEXT_PARTS_H
#define REPORT_KIT_TEXT_PARTS_H

#include "report/kit/report.h"
#include "report/kit/terminal.h"

void text_histogram(const struct report *report, struct terminal *terminal);
/* What kinds of intervals there are, and what was asked of them; nothing where neither was said. */
void text_types(const struct report *report, struct terminal *terminal);
void text_values(const struct report *report, struct terminal *terminal);
/* What is to be said of the numbers as a whole, and the doubts; of a result or a comparison. */
void text_trust(const char *summary, const struct report_warning *warnings, uint32_t count,
                struct terminal *terminal);

#endif
