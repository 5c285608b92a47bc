/* stacks_page.h - where the time of threads went, as a page: one file that asks nothing of the network.
 *
 *     struct stacks_page page = {.stacks = stacks, .doubts = &doubts, .origin = {.command = words}};
 *     stacks_write_html(&page, &text);
 *
 * The icicle of contexts comes first, coloured by layer, then tables: functions, threads. Borrows everything.
 */
#ifndef REPORT_STACKS_STACKS_PAGE_H
#define REPORT_STACKS_STACKS_PAGE_H

#include "base/str.h"
#include "report/kit/doubt.h"
#include "report/kit/report.h"
#include "report/stacks/context_order.h"
#include "stacks/stacks.h"

/* What more there is stands in the JSON alone: the page stays below 1.5 MB. */
enum { STACKS_MOST_BOXES = 4000, STACKS_MOST_ROWS = 800, STACKS_MOST_GROUPS = 400 };

struct stacks_page {
    const struct stacks *stacks;
    const struct doubts *doubts;
    struct report_origin origin; /* that of a program as it is: command, host, date */
};

void stacks_write_html(const struct stacks_page *page, struct str *out);

#endif
