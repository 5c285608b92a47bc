/* sim_case.h - a program for the simulated machine: what each thread does, one operation a line.
 *
 *     run scale 1 rate 1 chatty 0 shared 0 learned 0
 *     thread 0 process 0 at 3                 runs from time 3 on
 *     thread 1 process 0 at -1                is created by another
 *     0 begin 1 0 0                           thread, operation, what, time, site
 *     0 lock 2 3 1                            lock 2; 3 units of wake-up latency; call site 1
 *     = interval 0: . 12                      what the critical path is known to be (optional)
 *
 * Every program can run, whatever was taken out of it: what makes no sense at its turn (to unlock
 * what is not held) is passed over, and who can't be woken any more is woken by a helper.
 */
#ifndef TESTS_SIM_CASE_H
#define TESTS_SIM_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { SIM_THREADS = 10, SIM_PROCESSES = 3, SIM_OPS = 400, SIM_STACKS = 3 };

enum sim_code {
    SIM_SPEND, /* time */
    SIM_CALL,  /* what: which of the machine's probes */
    SIM_RETURN,
    SIM_BEGIN, /* what: id of the interval; 1, 4, 7 begin as type a, 2, 5 end as type b */
    SIM_END,
    SIM_ENTER, /* what: id; -1 for none */
    SIM_LOCK,  /* what: object; so are those that follow */
    SIM_UNLOCK,
    SIM_RDLOCK,
    SIM_WRLOCK,
    SIM_RWUNLOCK,
    SIM_WAIT,
    SIM_POST,
    SIM_COND_WAIT,
    SIM_SIGNAL,
    SIM_BROADCAST,
    SIM_ARRIVE,
    SIM_JOIN, /* what: thread */
    SIM_CREATE,
    SIM_ENQUEUE, /* what: task */
    SIM_DEQUEUE,
    SIM_NAP,     /* blocked, and nobody known ends it; what: kind */
    SIM_AWAIT,   /* what: condition; waits for it until it has been advanced */
    SIM_ADVANCE, /* and wakes all */
    SIM_FALSE,   /* the thread's latest wake was in vain */
    SIM_STACK,   /* go to a stack of the process that no thread is on; what: which, or its own */
    SIM_CODES
};

struct sim_op {
    int thread;
    enum sim_code code;
    int what, time;
    int site; /* 0: none; 1..3: that call; 4..6: the call is timed as well */
};

struct sim_thread_plan {
    int process;
    int at; /* -1: when it is created */
};

struct sim_case {
    int scale;   /* ns in a unit of time */
    int rate;    /* clock ticks in a ns */
    int chatty;  /* releases are recorded though nobody waits */
    int shared;  /* objects lie in shared memory */
    int learned; /* only the first process's maps tell so */
    int kernel;  /* not 0: what the scheduler did is drawn from this, and recorded */
    int squeeze; /* not 0: so many times as many ticks in a ns; not in the text */
    int part;    /* of a longer run: 0, 1, ... from one hour to the next; not in the text */
    int thread_count;
    struct sim_thread_plan threads[SIM_THREADS];
    int op_count;
    struct sim_op ops[SIM_OPS];
};

void sim_case_random(struct sim_case *c, uint64_t seed);
void sim_case_print(const struct sim_case *c, struct str *text);
/* Lines that begin with = go to `expected` without it, # begins a comment. False: not a case. */
bool sim_case_parse(struct sim_case *c, const char *text, struct str *expected);

/* Makes `c` smaller while `fails` says that it still fails. */
void sim_case_shrink(struct sim_case *c, bool (*fails)(const struct sim_case *c));

#endif
