/* experiment_wish.h - what is to be experimented with, for how long. */
#ifndef DRIVER_EXPERIMENTS_EXPERIMENT_WISH_H
#define DRIVER_EXPERIMENTS_EXPERIMENT_WISH_H

#include "base/error.h"
#include "driver/experiments/target_list.h"
#include "driver/workbench/target.h"

struct experiment_wish {
    const struct target *target;
    const char *trace, *log; /* the folder, which is there; the program's output */
    const struct target_list *targets;
    const struct function_table *table; /* of the program */
    uint32_t probe_count;               /* of that */
    const double *levels;
    uint32_t level_count;
    double budget_s; /* of all experiments together */
    /* Half of the width that the interval of p99, else of the mean or the rate, is to have: the budget follows from it.
     * 0: the budget is given. */
    double width;
    /* The program's runs are the units of work. Without a budget it ends when the answer is known. */
    bool end_to_end;
    uint64_t seed;
};

#endif
