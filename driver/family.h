/* family.h - a family of analyses as plain data: what it makes of a run, and how that is told.
 *
 *     const struct family family_variance = {.told = &variance_report_family, .analyze = ..., ...};
 *
 * A new family is its folder of analysis, its folder below report/, one driver/family_<name>.c, and
 * a line in family_list.c. `told` and, with `analyze`, `release` are there; of the rest, what is
 * NULL it does not have. It holds no state: a result is its own, made by `analyze` and freed by
 * `release`, and in between nobody else looks into it.
 */
#ifndef DRIVER_FAMILY_H
#define DRIVER_FAMILY_H

#include "base/error.h"
#include "driver/cli/command.h"
#include "report/kit/doubt.h"
#include "report/kit/report.h"
#include "report/kit/table.h"
#include "trace/function_table.h"
#include "trace/timeline.h"

/* What a run must have recorded. */
enum family_need {
    FAMILY_CALLS = 1,       /* timed calls and annotations */
    FAMILY_KERNEL = 2,      /* what the scheduler did */
    FAMILY_STACKS = 4,      /* samples of stacks */
    FAMILY_VALUES = 8,      /* values of variables */
    FAMILY_EXPERIMENTS = 16 /* what was slowed down when */
};

struct family_input {
    const struct timelines *run;
    const struct function_table *functions; /* NULL: not known */
};

/* One of the tables of `vprofiler export`. */
struct family_table {
    const struct table_kind *kind;
    void (*fill)(const void *result, struct table *table);
};

struct family {
    const struct report_family *told;
    unsigned needs;                        /* enum family_need, several */
    const struct command *const *commands; /* of its own; ends with NULL */
    /* NULL and ERROR_NOTHING: there is nothing of it in the run. Borrows the input. */
    void *(*analyze)(const struct family_input *input, struct error *error);
    /* Its laws; NULL: they hold, else a text that says which does not. */
    const char *(*check)(const void *result);
    /* Those that the result is of, and the part of their time that it explains. */
    const struct interval_summary *(*intervals)(const void *result, double *coverage);
    void (*judge)(const void *result, const struct report *report, const struct family_input *input,
                  struct doubts *doubts);
    const struct family_table *tables; /* ends with a zeroed one */
    void (*release)(void *result);
};

/* All of them; the first is what a report of `iterate` is of. Ends with NULL. */
extern const struct family *const families[];

#endif
