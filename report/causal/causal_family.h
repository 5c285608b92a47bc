/* causal_family.h - how experiments are told, as a family. */
#ifndef REPORT_CAUSAL_CAUSAL_FAMILY_H
#define REPORT_CAUSAL_CAUSAL_FAMILY_H

#include "report/kit/report.h"

/* Its results are `struct causal`. It has no part in a report of intervals: its text, its page and
 * its JSON are those of `vprofiler causal`. */
extern const struct report_family causal_report_family;

#endif
