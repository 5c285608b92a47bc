/* request_report.h - what requests wait for, told: a table on the terminal, and as JSON.
 *
 * Borrows everything.
 */
#ifndef REPORT_WAITS_REQUEST_REPORT_H
#define REPORT_WAITS_REQUEST_REPORT_H

#include <jansson.h>

#include "report/kit/terminal.h"
#include "waits/waits.h"

/* "log-writer waits for disk vda": what a part of a request's time is; of the `leaves`, or an edge. */
void request_part_name(const struct waits *waits, const struct request_part *part, bool leaf,
                       struct str *out);
/* Nothing where there are no requests. */
void requests_write_text(const struct waits *waits, struct terminal *terminal);
/* null where there are none. */
json_t *requests_json(const struct by_request *requests);

#endif
