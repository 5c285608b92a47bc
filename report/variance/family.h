/* family.h - variance as a family of a report.
 */
#ifndef REPORT_VARIANCE_FAMILY_H
#define REPORT_VARIANCE_FAMILY_H

#include "report/kit/report.h"

extern const struct report_family variance_report_family;

#endif
