/* interval_words.h - how intervals and rounds are spoken of.
 */
#ifndef REPORT_KIT_INTERVAL_WORDS_H
#define REPORT_KIT_INTERVAL_WORDS_H

#include "base/str.h"
#include "report/kit/report.h"

#define LEAST_FOR_P999 1000 /* intervals: of fewer, p99.9 is little more than the greatest */

/* The tail is called "the slowest 1 %"; where that is not so, as where many are equal, "the slowest
 * 17". */
void tail_write_name(const struct interval_summary *intervals, struct str *out);

/* The rounds are told as "4 rounds", or "round 1 of at most 5" in the report of one round. */
void rounds_write(const struct report *report, struct str *out);
/* Tells whether the latency has a variance. */
static inline bool intervals_vary(const struct interval_summary *intervals)
{
    return intervals->count > 1 && intervals->variance_ns2 > 0;
}

#endif
