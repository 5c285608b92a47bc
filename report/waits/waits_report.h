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
/* The stack with which an edge's threads wait the longest, or let them go on; or NULL. */
const struct edge_stack *waits_edge_stack(const struct waits *waits, uint32_t edge, bool of_waker);
/* The lock that an edge's threads wait for the longest, or NULL; and its name, or its address. */
const struct edge_lock *waits_edge_lock(const struct waits *waits, uint32_t edge);
void waits_lock_name(const struct edge_lock *lock, struct str *out);
/* Of the first edges: the functions that their threads wait in, and are let go on by. */
void waits_write_stacks(const struct waits *waits, struct terminal *terminal);
/* One or two sentences: the knot first. */
void waits_headline(const struct waits *waits, struct str *out);
void waits_write_text(const struct waits *waits, const struct doubts *doubts,
                      struct terminal *terminal);
void waits_stacks_json(const struct waits *waits, json_t *into);
json_t *waits_json(const struct waits *waits, const struct doubts *doubts);

#endif
