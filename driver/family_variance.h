/* family_variance.h - where latency varies (VProfiler, EuroSys'17), as a family.
 *
 *     variance_of(results_of(&results, &family_variance))->tree
 */
#ifndef DRIVER_FAMILY_VARIANCE_H
#define DRIVER_FAMILY_VARIANCE_H

#include "driver/family.h"
#include "report/variance/variance_report.h"
#include "variance/variance.h"

extern const struct family family_variance;

/* The family's result begins with what its report is made from. */
struct family_variance_result {
    struct variance_report report;
    struct variance_result result;
    struct variance_report others; /* where outliers own the variance: without them */
    struct variance_result without;
    struct shown_rows rows; /* of a page, which is of the others where there are any */
    uint32_t without_slowest;
};

static inline const struct variance_result *variance_of(const void *result)
{
    return &((const struct family_variance_result *)result)->result;
}

#endif
