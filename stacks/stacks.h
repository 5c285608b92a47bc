/* stacks.h - where the time of a run's threads went, by calling context: of a program as it is.
 *
 *     struct stacks *stacks = stacks_find(run, &(struct stacks_options){.layers = CONTEXT_ALL_LAYERS}, &error);
 *     ... stacks->times, stacks->functions ...
 *     stacks_release(stacks);
 */
#ifndef STACKS_STACKS_H
#define STACKS_STACKS_H

#include "base/error.h"
#include "stacks/context_times.h"
#include "stacks/function_time.h"
#include "stacks/heaviest.h"
#include "stacks/proof.h"
#include "stacks/request_time.h"
#include "stacks/sighting.h"

struct stacks_options {
    unsigned layers; /* that are told (context_fold.h) */
};

struct stacks {
    const struct timelines *run; /* borrowed */
    struct stacks_options options;
    struct sampled_names *names;
    struct thread_groups groups;
    struct sightings seen;
    struct context_times times;
    struct function_times functions;
    struct heaviest heaviest;
    struct request_times requests; /* of those that the run's intervals are, if they are enough */
    uint32_t threads;              /* of the run */
    time_ns from, until;           /* one of them was seen */
    const struct proof *proof; /* borrowed; NULL: no functions were measured beside it (proof.h) */
    bool wakers_known; /* false: of the threads' own switches alone it is not known who woke them */
};

/* The run is borrowed. NULL and ERROR_NOTHING: no stacks were recorded. */
struct stacks *stacks_find(const struct timelines *run, const struct stacks_options *options,
                           struct error *error);
/* NULL where the laws hold, else which does not. */
const char *stacks_check(const struct stacks *stacks);
void stacks_release(struct stacks *stacks);

#endif
