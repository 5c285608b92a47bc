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
/* That, and a blank behind it, in a column so many characters wide. */
void waits_write_name(const struct waits *waits, uint32_t group, size_t width,
                      struct terminal *terminal);
/* The stack with which an edge's threads wait the longest, or are let go on; or NULL. */
const struct stack_sum *waits_edge_stack(const struct waits *waits, uint32_t edge,
                                         enum edge_stack_of of);
/* "on table_lock 97 %, of that 90 % while w held it" */
void waits_lock_told(const struct waits *waits, const struct edge_lock *lock, struct str *out);
/* Of the first edges: the functions that their threads wait in, and are let go on by. */
void waits_write_stacks(const struct waits *waits, struct terminal *terminal);
/* "device", as the JSON and the tables name it. */
const char *waits_kind_name(enum vertex_kind kind);
/* Of a sink: the heaviest wait for it, and the heaviest one for who waits; NULL where there is none. */
struct waits_chain {
    const struct wait_edge *before, *last;
};
struct waits_chain waits_chain_to(const struct waits *waits, uint32_t sink);
/* Whether it is of the first knot. */
bool waits_group_in_knot(const struct waits *waits, uint32_t group);
/* The first sentence tells of the group: it lies in the first knot, or waits on the way to the first sink; where
 * there is neither, it is of the run. */
bool waits_is_told(const struct waits *waits, uint32_t group);
/* Of the time of one of its members, that it waited for another one of them. */
double waits_within_share(const struct waits *waits, uint32_t group);
/* One or two sentences: the knot first. */
void waits_headline(const struct waits *waits, struct str *out);
/* What speaks against it, but for how it was recorded. */
void waits_judge(const struct waits *waits, struct doubts *doubts);
/* Why some threads are not looked at. */
void waits_background(const struct waits *waits, const struct background_part *part,
                      struct str *out);
void waits_write_text(const struct waits *waits, const struct doubts *doubts,
                      struct terminal *terminal);
void waits_stacks_json(const struct waits *waits, json_t *into);
json_t *waits_json(const struct waits *waits, const struct doubts *doubts);

#endif
