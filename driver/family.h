/* family.h - a family of analyses as plain data: what it makes of a run, and how that is told.
 *
 *     const struct family family_variance = {.told = &variance_report_family, .analyze = ..., ...};
 *
 * A new family is its folder of analysis, its folder below report/, one driver/family_<name>.c, and
 * a line in family_list.c. `told` and, with `analyze`, `release` are there; a family lacks what
 * another member that is NULL would do. It holds no state: a result is its own, made by `analyze`
 * and freed by `release`, and in between nobody else looks into it.
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

/* A family needs a run that has recorded these. */
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
    uint32_t without_slowest;               /* so many intervals are left out, the slowest ones */
    unsigned also; /* enum family_need: what is analysed beside calls; a report of `iterate` is of
                      calls alone */
};

/* A family's table is one of those of `vprofiler export`. */
struct family_table {
    const struct table_kind *kind;
    void (*fill)(const void *result, struct table *table);
};

struct family {
    const struct report_family *told;
    unsigned needs;                        /* enum family_need, several */
    const struct command *const *commands; /* of its own; ends with NULL */
    /* The result borrows the input; it is NULL, with ERROR_NOTHING, where the run holds nothing for
     * it. */
    void *(*analyze)(const struct family_input *input, struct error *error);
    /* The laws hold where this gives NULL; else it gives a text that says which does not. */
    const char *(*check)(const void *result);
    /* Gives the intervals that the result is of, and the part of their time that it explains. */
    const struct interval_summary *(*intervals)(const void *result, double *coverage);
    void (*judge)(const void *result, const struct report *report, const struct family_input *input,
                  struct doubts *doubts);
    /* Works out what a page alone shows. */
    void (*illustrate)(void *result, const struct family_input *input);
    const struct family_table *tables; /* ends with a zeroed one */
    void (*release)(void *result);
};

/* The list holds all families and ends with NULL; a report of `iterate` is of the first. */
extern const struct family *const families[];

#endif
