/* stacks_compare.h - two sides of runs compared context by context, told: on the terminal, as JSON
 * (vprofiler.stacks-compare/1) and as a page.
 *
 *     struct stacks_compare told = {.comparison = &comparison, .names = {"old", "new"}, .doubts = &doubts};
 *     stacks_compare_text(&told, &terminal);
 *
 * Borrows everything.
 */
#ifndef REPORT_STACKS_STACKS_COMPARE_H
#define REPORT_STACKS_STACKS_COMPARE_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/doubt.h"
#include "report/kit/report.h"
#include "report/kit/terminal.h"
#include "stacks/proof_change.h"
#include "stacks/stack_comparison.h"

#define STACKS_COMPARE_SCHEMA "vprofiler.stacks-compare/1"

struct stacks_compare {
    const struct stack_comparison *comparison;
    const struct proof_changes *proven; /* or NULL */
    const char *names[2];               /* what the sides are: folders */
    bool slow;                          /* A: a run's typical requests, B: its slow ones */
    const char *mended; /* a function of B that was mended, or NULL: for the paper's two measures */
    const struct doubts *doubts;
    struct report_origin origin; /* command, host, date; NULL: not known */
};

/* One to three sentences: who does it first. */
void stacks_compare_headline(const struct stacks_compare *told, struct str *out);
/* What the numbers are of, and when one is told. */
void stacks_compare_method(const struct stacks_compare *told, struct str *out);
/* What speaks against it. */
void stacks_compare_judge(const struct stacks_compare *told, struct doubts *doubts);
void stacks_compare_text(const struct stacks_compare *told, struct terminal *terminal);
json_t *stacks_compare_json(const struct stacks_compare *told);
void stacks_compare_html(const struct stacks_compare *told, struct str *out);

#endif
