/* headline.h - the answer in a few sentences: who does it, by the root ledger.
 *
 *     "78 % of the latency variance of toy goes back to compact (store.c:80): 32 % in requests
 *     themselves, 46 % in others that wait in pthread_mutex_lock for it. Next: parse 12 %."
 *
 * It speaks of the ledger's first line. "Next" are further lines above the threshold that are told
 * from 0. A pair of functions that varies together is told as well where it carries as much as the
 * largest line that does not lie below both of them.
 */
#ifndef REPORT_VARIANCE_HEADLINE_H
#define REPORT_VARIANCE_HEADLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/variance/variance_report.h"

/* Names are cut to `columns`. */
void headline_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out);

#endif
