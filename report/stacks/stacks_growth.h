/* stacks_growth.h - how the time of each context grows with size, told: on the terminal and as JSON
 * (vprofiler.stacks-growth/1).
 *
 *     struct stacks_growth told = {.growth = &growth, .names = results};
 *     stacks_growth_text(&told, &terminal);
 *
 * Borrows everything.
 */
#ifndef REPORT_STACKS_STACKS_GROWTH_H
#define REPORT_STACKS_STACKS_GROWTH_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/terminal.h"
#include "stacks/context_growth.h"

#define STACKS_GROWTH_SCHEMA "vprofiler.stacks-growth/1"

struct stacks_growth {
    const struct context_growth *growth;
    const char *const *names; /* by run: what its size was given for */
    const char *value;        /* of requests, which is their size; NULL: it is that of runs */
};

/* One or two sentences: what grows the most that matters first. */
void stacks_growth_headline(const struct stacks_growth *told, struct str *out);
void stacks_growth_text(const struct stacks_growth *told, struct terminal *terminal);
json_t *stacks_growth_json(const struct stacks_growth *told);

#endif
