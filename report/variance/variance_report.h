/* variance_report.h - where latency varies, as its writers need it.
 *
 *     struct report_part part = {&variance_report_family, &result};     in a struct report
 *
 * The family's result is a struct variance_report; `of` is filled in by whoever prints it.
 */
#ifndef REPORT_VARIANCE_VARIANCE_REPORT_H
#define REPORT_VARIANCE_VARIANCE_REPORT_H

#include "report/kit/report.h"
#include "variance/factor.h"
#include "variance/outlier.h"
#include "variance/root_ledger.h"
#include "variance/shown_rows.h"
#include "variance/tail_ledger.h"
#include "variance/variance_tree.h"
#include "variance/waited_list.h"

struct variance_report {
    const struct report *of;
    const struct variance_tree *tree;
    const struct factor_list *factors;    /* NULL: none */
    const struct root_ledger *roots;      /* NULL: not told */
    const struct tail_ledger *tail;       /* NULL: not told */
    const struct waited_list *waited;     /* NULL: not told */
    const struct shown_rows *rows;        /* NULL: not told */
    const struct outliers *outliers;      /* NULL: not told */
    const struct variance_report *others; /* without the outliers, where they own the variance */
};

#endif
