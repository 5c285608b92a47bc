/* stacks_report.h - where the time of threads went by context, told: on the terminal and as JSON
 * (vprofiler.stacks/1).
 *
 * Borrows everything.
 */
#ifndef REPORT_STACKS_STACKS_REPORT_H
#define REPORT_STACKS_STACKS_REPORT_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/doubt.h"
#include "report/kit/terminal.h"
#include "stacks/stacks.h"

/* "program", as the JSON and the tables name it; "none" of what is no function. */
const char *stacks_layer_name(enum frame_kind kind);
/* "thread", "disk read" ... */
const char *stacks_cause_name(enum off_cause cause);
/* "the disk vda", "log-writer x 4", "a timer": what threads were off for. */
void stacks_reason_name(const struct stacks *stacks, uint32_t reason, struct str *out);
/* A node's name: "walk x300", where it calls itself as often. */
void stacks_node_name(const struct stacks *stacks, uint32_t node, bool utf8, struct str *out);
/* One to three sentences: who does it first. */
void stacks_headline(const struct stacks *stacks, struct str *out);
/* Of what ran, a context that no sample fell into has less than this (95 %: 3/n); 1 without samples. */
double stacks_never_seen(const struct stacks *stacks);
/* What of it is counted, and what is not known. */
void stacks_unknown(const struct stacks *stacks, struct str *out);
/* What speaks against it, but for how it was recorded. */
void stacks_judge(const struct stacks *stacks, struct doubts *doubts);
void stacks_write_text(const struct stacks *stacks, const struct doubts *doubts,
                       struct terminal *terminal);
json_t *stacks_json(const struct stacks *stacks, const struct doubts *doubts);

#endif
