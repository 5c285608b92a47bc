/* experiment.h - what was experimented with in a run, when, and how long each thread was delayed.
 *
 *   experiment 7   target 1, half of its time    |-begins----|-counts---------|-drains--|ends
 *   a thread's delay                                  __.----'''''-----....----
 *
 * What a thread did at `time` it did at virtual time `time - delay`; two such times compare where both
 * are of one experiment. An experiment with a share of 0 delays nobody.
 */
#ifndef TRACE_EXPERIMENT_H
#define TRACE_EXPERIMENT_H

#include "trace/timeline.h"

struct experiment_target {
    const char *kind; /* "function" */
    const char *name;
};

/* Sums since the run began, when a stage did. */
struct experiment_sums {
    time_ns time;
    uint64_t granted_ns, target_ns, calls, paid_ns, over_ns;
};

struct experiment {
    uint32_t epoch, block;
    uint32_t round;                   /* of screening, from 1; 0: it is part of the answer */
    uint32_t target;                  /* index in the run's targets */
    double share;                     /* of the target's time, 0 to 1 */
    bool whole;                       /* all that it counted has ended */
    struct experiment_sums stages[4]; /* enum trace_experiment_stage */
};

/* A unit of work was completed. */
struct visit {
    time_ns time;
    int64_t delay_ns;
    uint32_t probe; /* of the function that is one; 0: VPROF_PROGRESS */
    uint32_t thread;
    const char *name; /* of that */
};

/* From `time` on the thread's delay is this one. */
struct thread_delay {
    time_ns time;
    int64_t delay_ns;
};

/* In an experiment without a delay, the thread had spent that much on the target at `time`, since it was told last; or
 * had waited so long for what came by a socket. */
struct target_time {
    time_ns time;
    int64_t spent_ns;
    uint32_t thread;
    bool apart; /* it waited, and for whom is not known */
};

/* What was planned and counted while experiments were made; 0: not told. */
struct experiment_plan {
    double planned_s, took_s; /* of all experiments */
    double asked_width;       /* half of the interval's width, as a part */
    double expected_width;    /* as the pilot had it */
    double steps_refused;     /* processes whose calls tell of their time only when they end */
    double untold;            /* intervals that there was no room for */
    double whole_runs;        /* not 0: each experiment is a whole run of the program */
    double never_called;      /* targets that were left out, as they never ran */
    double
        progress_share; /* of the time between a thread's units of work it is stopped, to tell of them */
    double progress_unseen; /* processes whose units of work were not told, or not any more */
};

struct experiments {
    struct experiment_target *targets;
    uint32_t target_count, count;
    struct experiment *items; /* as they were made */
    struct visit *visits;     /* by time */
    uint32_t visit_count, spent_count;
    struct target_time *spent; /* by time */
    const char *outside; /* who was connected with the run's processes, and is none; NULL: nobody */
    struct experiment_plan plan;
};

/* The member that a line of "plan" tells; NULL: a later version's. */
double *experiment_plan_member(struct experiment_plan *plan, const char *what);
/* Calls for each member by its name. */
void experiment_plan_each(const struct experiment_plan *plan,
                          void (*take)(void *context, const char *what, double value),
                          void *context);

/* The delay of a thread at a time at which it was annotated. */
int64_t thread_delay_at(const struct timeline_thread *thread, time_ns time);

#endif
