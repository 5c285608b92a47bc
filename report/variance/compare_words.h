/* compare_words.h - a comparison in words and numbers, for all who write one.
 *
 *     change_number(0.061)                  "+6.1 %"
 *     change_number(3e15)                   "> 100 x": more is not known
 *     change_write_range(&change, true, &text);               "+4.9 ... +7.3"; "-" where there is none
 *     comparison_write_headline(&comparison, true, &text);    "B is better: mean -50.1 %, ..."
 *
 * A number that has no interval has a reason instead (change_write_gap).
 */
#ifndef REPORT_VARIANCE_COMPARE_WORDS_H
#define REPORT_VARIANCE_COMPARE_WORDS_H

#include "base/number.h"
#include "base/str.h"
#include "variance/comparison.h"

struct number change_number(double change);
/* The value is that of a side; of a variance "(4.74 ms)^2". */
struct number change_value(double value, enum metric metric, bool utf8);
/* The range is in percent, of the interval that goes with the verdict. */
void change_write_range(const struct change *change, bool utf8, struct str *out);
/* "fewer than 1,000 intervals"; nothing where there is an interval. */
void change_write_gap(const struct change *change, enum metric metric, struct str *out);
const char *verdict_key(enum verdict verdict); /* "not-different"; NULL for none */

/* "latency", "lock_wait" or "parse x reply" in at most `columns`. */
void row_write_name(const struct comparison_row *row, size_t columns, bool utf8, struct str *out);
/* "lock_wait is not timed in B", or nothing. */
void row_write_blind(const struct comparison_row *row, struct str *out);

/* "collect_stats (src/stats.c:40)"; the name is cut to `columns`. */
void root_write_who(const struct root_change *line, size_t columns, bool utf8, struct str *out);

/* A line's value of one side: its mean time, or its part of A's variance. */
struct number root_value(const struct comparison *comparison, const struct root_change *line,
                         enum difference_way way, int side, bool utf8);

void comparison_write_headline(const struct comparison *comparison, bool utf8, struct str *out);
/* The rule by which it is judged, in a sentence. */
void comparison_write_rule(const struct comparison *comparison, struct str *out);
/* Finds the line of the root ledger that grew (sign 1) or shrank (-1) most with the latency, in the
 * mean or else in the variance; NULL: none is told from 0. */
const struct root_change *comparison_who(const struct comparison *comparison, int sign,
                                         enum difference_way *way);
/* Finds the factor that grew or shrank with the latency's metric; or NULL. */
const struct comparison_row *comparison_where(const struct comparison *comparison, int sign,
                                              enum metric *metric);

#endif
