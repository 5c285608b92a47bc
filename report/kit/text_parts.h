/* text_parts.h - the tables of the terminal story that all families share; text.c tells the rest.
 */
#ifndef REPORT_KIT_TEXT_PARTS_H
#define REPORT_KIT_TEXT_PARTS_H

#include "report/kit/report.h"
#include "report/kit/terminal.h"

void text_histogram(const struct report *report, struct terminal *terminal);
/* Two tables tell the kinds of intervals, and how much was asked of them; they are left out where
 * the program did not say. */
void text_types(const struct report *report, struct terminal *terminal);
void text_values(const struct report *report, struct terminal *terminal);
/* Tells how far to trust a result or a comparison: a word on the numbers as a whole, and the
 * doubts. */
void text_trust(const char *summary, const struct report_warning *warnings, uint32_t count,
                struct terminal *terminal);

#endif
