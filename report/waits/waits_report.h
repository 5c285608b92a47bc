/* waits_report.h - which waiting caps the throughput, told: on the terminal and as JSON
 * (vprofiler.waits/1).
 *
 * Borrows everything.
 */
#ifndef REPORT_WAITS_WAITS_REPORT_H
#define REPORT_WAITS_WAITS_REPORT_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/terminal.h"
#include "waits/waits.h"

/* "worker x 4": how a group is called. */
void waits_group_name(const struct waits *waits, uint32_t group, struct str *out);
/* "device", as the JSON and the tables name it. */
const char *waits_kind_name(enum vertex_kind kind);
/* One or two sentences: the knot first. */
void waits_headline(const struct waits *waits, struct str *out);
void waits_write_text(const struct waits *waits, const struct doubts *doubts,
                      struct terminal *terminal);
json_t *waits_json(const struct waits *waits, const struct doubts *doubts);

#endif
