/* off_cpu.h - when a thread had no processor, why, and who had it meanwhile.
 *
 *     thread      run |-- blocked --|- runnable -| run
 *                    out          woken          in            cause: DISK; processor 1
 *     processor 1   ...  | backup        | idle  | thread ...
 *
 * As a recorder saw it (TRACE_WATCHED_ALL or OWN). A thread ran wherever it was not off its
 * processor: its time between two moments is what it ran, was runnable and was blocked, to the ns.
 */
#ifndef TRACE_OFF_CPU_H
#define TRACE_OFF_CPU_H

#include "trace/timeline.h"

#define TASK_NONE UINT32_MAX /* not known */
#define TASK_IDLE 0u         /* a processor's idle thread: the first of the run's tasks */

/* Why it was blocked in [out, woken]. */
enum off_cause {
    OFF_RUNNABLE, /* it was not: woken == out */
    OFF_UNKNOWN,  /* nobody was seen to wake it */
    OFF_THREAD,   /* `waker` let it go on */
    OFF_LOCK,     /* the same, and in the kernel: no signal could end it */
    OFF_TIMER,
    OFF_NETWORK,
    OFF_READ,  /* of `device` */
    OFF_WRITE, /* to it */
    OFF_INTERRUPT,
    OFF_CAUSES
};

struct off_cpu {
    time_ns out, woken, in; /* out <= woken <= in */
    uint32_t waker;         /* task, or TASK_NONE */
    uint32_t processor;     /* that it came back to */
    uint32_t device;        /* major << 20 | minor; 0: not known */
    uint8_t cause;          /* enum off_cause */
    bool fault;             /* a major page fault waited for it */
    bool open;              /* the recording began or ended within it */
};

/* A kernel thread that was seen: of the run, or one outside that woke one of them or ran instead. */
struct kernel_task {
    uint32_t pid, tid;
    const char *name;
    uint32_t thread; /* of the run, or THREAD_NONE */
};

/* The processor has been a task's since `start`. */
struct processor_use {
    time_ns start;
    uint32_t task; /* TASK_NONE: records were lost, or it was nobody of interest */
};

struct processor {
    struct processor_use *uses;
    uint32_t count;
};

#endif
