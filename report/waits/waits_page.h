/* waits_page.h - which waiting caps the throughput, as a page: one file that asks nothing of the network.
 *
 *     struct waits_page page = {.waits = waits, .doubts = &doubts, .origin = {.command = words}};
 *     waits_write_html(&page, &text);
 *
 * The graph comes first, then tables: edges, groups, knots and how they were found, processors. The
 * script tells of an edge or a group that is chosen what its rows in the tables tell, so that a new
 * column of a table is all that a new number takes. Borrows everything.
 */
#ifndef REPORT_WAITS_WAITS_PAGE_H
#define REPORT_WAITS_WAITS_PAGE_H

#include "base/str.h"
#include "report/kit/doubt.h"
#include "report/kit/report.h"
#include "report/waits/waits_drawing.h"

/* What more there is stands in the JSON alone: the page stays below 1.5 MB. */
enum {
    WAITS_MOST_ROWS = 1000,
    WAITS_MOST_GROUPS = 600,
    WAITS_DRAWN_FIRST = 30,
    WAITS_DRAWN_ALL = 700
};

struct waits_page {
    const struct waits *waits;
    const struct doubts *doubts;
    struct report_origin origin;       /* that of a program as it is: command, host, date */
    const struct waits_drawing *first; /* what matters most */
    const struct waits_drawing *all;   /* NULL: the first one has it all */
    const char *no_picture;            /* why there is none; NULL: there is one */
};

void waits_write_html(const struct waits_page *page, struct str *out);

#endif
