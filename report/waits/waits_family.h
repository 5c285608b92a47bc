/* waits_family.h - how the waits of a run are told, as a family. */
#ifndef REPORT_WAITS_WAITS_FAMILY_H
#define REPORT_WAITS_WAITS_FAMILY_H

#include "report/kit/report.h"

/* Its results are `struct waits`. It has no part in a report of intervals: its text, its page and
 * its JSON are those of `vprofiler waits`. */
extern const struct report_family waits_report_family;

#endif
