/* compare_stacks.h - `vprofiler compare` of results of `vprofiler stacks`: context by context.
 *
 *     struct compare_stacks_values values = {.per = "request"};     of the command line
 *     compare_stacks(paths, &values, &output, words, &verdict, &error)
 *
 * A side is a run, or a folder of runs. They are compared by request where both sides have requests, by run
 * where A's first one was recorded from its beginning to its end, else by second.
 */
#ifndef DRIVER_COMMANDS_COMPARE_STACKS_H
#define DRIVER_COMMANDS_COMPARE_STACKS_H

#include "driver/cli/option.h"
#include "driver/commands/compare_output.h"
#include "driver/commands/layer_names.h"

struct compare_stacks_values {
    const char *per, *mended;
    const char *const *layers;
};

extern const char *const compare_stacks_units[]; /* "request", "second", "run" */

#define COMPARE_STACKS_OPTIONS(at)                                                                 \
    OPTION("per", CHOICE, (at) + offsetof(struct compare_stacks_values, per), "UNIT", NULL,        \
           "stacks: times are of a request, a second or a run; otherwise of a request where "      \
           "requests were recorded, of a run where it was recorded to its end, of a second",       \
           .choices = compare_stacks_units),                                                       \
        OPTION("mended", TEXT, (at) + offsetof(struct compare_stacks_values, mended), "FUNCTION",  \
               NULL, "stacks: rank this function of B as IntroPerf does (p_min, f_min)"),          \
        LAYER_OPTION((at) + offsetof(struct compare_stacks_values, layers))

/* What of B's requests, or runs, is known beside where it changed. */
struct compare_stacks_verdict {
    double margin; /* in: more than this part of A is worse */
    bool worse;    /* they take surely longer, by more than that */
    bool may_be;   /* that is not ruled out */
};

/* Both sides are such results. */
bool compare_stacks_applies(const char *const paths[2]);
bool compare_stacks(const char *const paths[2], const struct compare_stacks_values *values,
                    const struct compare_output *output, const char *words,
                    struct compare_stacks_verdict *verdict, struct error *error);

#endif
