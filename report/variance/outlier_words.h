/* outlier_words.h - a few intervals that own the variance, in words.
 *
 *     "one interval of 119 ms has 98 % of the variance by itself: 118 ms of it is gc_pause (gc.c:9),
 *     in nanosleep"
 */
#ifndef REPORT_VARIANCE_OUTLIER_WORDS_H
#define REPORT_VARIANCE_OUTLIER_WORDS_H

#include "base/str.h"
#include "report/variance/variance_report.h"

/* Without a full stop; names are cut to `columns`. Only where there are outliers. */
void outliers_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out);
/* "All parts below are without it." */
void outliers_write_note(const struct variance_report *report, struct str *out);

#endif
