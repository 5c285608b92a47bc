/* stacks_family.h - where the time is in a program as it is (IntroPerf, SIGMETRICS'14), as a family of the report. */
#ifndef REPORT_STACKS_STACKS_FAMILY_H
#define REPORT_STACKS_STACKS_FAMILY_H

#include "report/kit/report.h"

/* Its results are `struct stacks`. */
extern const struct report_family stacks_report_family;

#endif
