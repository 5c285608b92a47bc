/* causal_page.h - what would be if parts of a program took less time, as a page: one file that asks nothing of the
 * network.
 *
 *     struct causal_page page = {.causal = causal, .doubts = &doubts, .origin = {.command = words}};
 *     causal_write_html(&page, &text);
 *
 * A table says which target brings most, by number and level; then each target has its curves. The script sorts the
 * curves as the table is sorted. Borrows everything.
 */
#ifndef REPORT_CAUSAL_CAUSAL_PAGE_H
#define REPORT_CAUSAL_CAUSAL_PAGE_H

#include "causal/causal.h"
#include "report/kit/doubt.h"
#include "report/kit/report.h"

struct causal_page {
    const struct causal *causal;
    const struct doubts *doubts;
    struct report_origin origin; /* command, host, date */
    const char *const *places;   /* by target: "src/parse.c:40"; NULL: unknown */
};

void causal_write_html(const struct causal_page *page, struct str *out);

#endif
