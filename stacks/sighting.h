/* sighting.h - the moments at which it was seen which calls a thread was in, in order of time.
 *
 *     thread 7    10 ms  RAN  main, serve, parse          a clock's sample: it stands for 1 ms
 *                 11 ms  OFF  main, serve, commit, fsync  until 18 ms, for the disk
 *                 19 ms  OFF  not known                   no stack of it was recorded
 *
 *     struct sightings seen;
 *     sightings_fill(&seen, run, names);
 *     seen.tasks[7].items[0].node        in seen.tree
 *
 * Those of each kernel task of the run; an off that was only runnable (preempted) is one too. All
 * times are the run's. The C library's calls by which a thread begins are left out of the contexts.
 */
#ifndef STACKS_SIGHTING_H
#define STACKS_SIGHTING_H

#include "stacks/context_tree.h"
#include "trace/off_cpu.h"

enum sighting_kind { SIGHTING_RAN, SIGHTING_OFF };

struct sighting {
    time_ns time;    /* OFF: when it went off its processor */
    uint32_t node;   /* of the tree; CONTEXT_NONE: its stack is not known */
    uint32_t off;    /* OFF: index in the task's offs; off_count: the one that is open at the end */
    uint32_t one_in; /* OFF with a stack: it stands for so many; else 0 */
    uint8_t kind;    /* enum sighting_kind */
    bool cut;        /* its outermost calls are missing: the context begins somewhere within */
    uint64_t amount_ns; /* RAN: the clock's period; OFF: how long it was off, until it ran again */
};

struct task_sightings {
    struct sighting *items; /* by time */
    size_t count;
};

struct sightings {
    struct context_tree tree;
    struct task_sightings *tasks; /* by task of the run's kernel side; of others there are none */
    uint32_t task_count;
    uint64_t samples;    /* of the clock, of tasks that are known */
    uint64_t offs;       /* that were blocked, not only runnable */
    uint64_t with_stack; /* of them */
    uint64_t cut;        /* of samples and offs */
    uint64_t unresolved; /* of them, the innermost frame has no name */
    uint64_t unmatched;  /* stacks of no task, or of no off that was recorded */
};

/* The run has a kernel side, and `names` are its sampled stacks' (symbol/sampled_name.h); NULL: no
 * stacks were recorded. Borrows the run while it works; names are copied. */
void sightings_fill(struct sightings *seen, const struct timelines *run,
                    struct sampled_names *names);
void sightings_release(struct sightings *seen);

#endif
