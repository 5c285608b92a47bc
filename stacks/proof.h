/* proof.h - what sampling said of some functions, measured call by call: by points of the running program.
 *
 *     struct proof proof;
 *     struct proof_claims by_stacks = {&functions, &tree, time};
 *     proof_find(&proof, run, &by_stacks);    the run's points are CALLED and RETURNED (trace/point.h)
 *     proof.items[0]     serve: 1,200 calls in 3 s, mean 1.00 ms, 99 % below 1.31 ms;
 *                        threads were in it for 412 ms of each second, by stacks 409 ms: AGREES
 *     proof_release(&proof);
 *
 * Stacks know how much time a function had, and neither how many calls it was nor how long one took, as
 * they meet long calls more often (the waiting-time paradox). The points of a second recording, or of a
 * second run, know both. What they say of the time must be what the stacks said, within the errors of
 * sampling, PROOF_TOLERANCE for what is never alike in two recordings, and PROOF_PROBE_NS a call; else
 * one of the two is wrong, or the program did something else: DIFFERS.
 *
 * Time that a thread wanted a processor is no function's by stacks. It is left out of both, and out of the
 * second: what is told is of each second in which threads had what they wanted. Else a program would do
 * less in a second of a busier machine, and the two would never be alike.
 */
#ifndef STACKS_PROOF_H
#define STACKS_PROOF_H

#include "stacks/function_time.h"
#include "stacks/measured_call.h"

/* Chosen: two runs of one program differ by that. */
#define PROOF_TOLERANCE 0.05
/* So much of a length is the points' own: docs/measurements/proof.md. */
#define PROOF_PROBE_NS 4000.0

enum proof_mode {
    PROOF_WHOLE,   /* each call was measured */
    PROOF_BEGIN,   /* up to a moment; from then on calls were counted */
    PROOF_COUNTED, /* where it returns is not known: calls were counted alone */
    PROOF_STOPPED  /* there were too many to be counted to the end */
};

enum proof_verdict {
    PROOF_UNSEEN, /* one of the two knows nothing of its time */
    PROOF_AGREES,
    PROOF_DIFFERS
};

/* What it was in requests that were watched beside it, those that are complete. */
struct proof_requests {
    uint64_t count; /* 0: there are none */
    double calls;   /* of the function, in one */
    double time;    /* ns of one that their threads were in it */
    double share;   /* Cov(that time, latency) / Var(latency) */
};

struct proven_function {
    const char *label; /* "serve@server"; the run's */
    uint32_t frame;    /* of the stacks' folded tree; CONTEXT_NONE: no stack has it */
    enum proof_mode mode;
    uint64_t calls;             /* that began, in ... */
    time_ns counted, measured;  /* ... so much time; lengths are of so much of it */
    uint64_t fates[CALL_FATES]; /* of calls in the time that was measured */
    uint32_t deepest;           /* so many in each other on one thread */
    uint32_t threads;           /* that called it, in the time that was measured */
    double mean, sd;            /* of lengths in ns: from call to return */
    double p50, p95, p99;
    time_ns least, most;
    time_ns ran, off, queue;      /* of outermost calls; without switches all of it is `ran` */
    double seconds;               /* ran and off for each second of proof_time() */
    double estimate, estimate_sd; /* the same by stacks */
    enum proof_verdict verdict;
    struct proof_requests requests;
};

/* What stacks say. */
struct proof_claims {
    const struct function_times *functions;
    const struct context_tree *tree; /* that they are of */
    double time;                     /* ns: proof_time() of their recording */
};

struct proof {
    struct proven_function *items;
    uint32_t count;
    time_ns from, until; /* of the recording */
    uint64_t lost;       /* hits */
    double given;        /* of its time, threads had what they wanted; 1 where that is not known */
    bool switches;       /* it is known when threads had a processor */
    const char *refused; /* lines: which functions could not be measured, and why; borrowed; "" */
};

/* The time of a recording in which threads that were there for these times had what they wanted, in ns. */
double proof_time(time_ns wall, const time_ns times[CONTEXT_TIMES]);
/* The run is the second recording, with its requests made already (request_fill.h), or none; the claims
 * are of the first. Borrows the run. False: no functions were measured in it. */
bool proof_find(struct proof *proof, const struct timelines *run,
                const struct proof_claims *claims);
void proof_release(struct proof *proof);

#endif
