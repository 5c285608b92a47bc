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

/* The operation of a block that no wrapper recorded: the thread was off its processor. */
#define BLOCK_OFF_CPU 64u

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
};

/* A kernel thread that was seen: of the run, or one outside that woke one of them or ran instead. */
struct kernel_task {
    uint32_t pid, tid; /* pid 0: not known */
    const char *name;  /* "" where it is not known */
    const char
        *title; /* that its process gave itself; "" where it has none, or is not its first thread */
    uint32_t thread;      /* of the run, or THREAD_NONE */
    uint8_t whose;        /* enum trace_whose; of the run although it has no trace: RUN */
    uint32_t maker;       /* the task that made it while the recorder saw; else TASK_NONE */
    time_ns seen, ended;  /* first; INT64_MAX: not while the recorder saw */
    struct off_cpu *offs; /* by time; none of them overlap */
    uint32_t off_count;
    struct off_cpu open; /* after them, and cut by the recording's end, which is `in`; out == in:
                            there is none; out < woken == in: nobody has ended it yet */
};

/* The processor has been a task's since `start`. */
struct processor_use {
    time_ns start;
    uint32_t task; /* TASK_NONE: records were lost, or it was nobody of interest */
};

struct processor {
    struct processor_use *uses; /* by time */
    uint32_t count, number;     /* the kernel's, of its machine */
    time_ns until;              /* when the recording of its machine ended */
};

/* Nothing was recorded, on purpose. */
struct kernel_pause {
    time_ns from, until; /* the first may have no beginning, the last one no end */
};

struct kernel_device {
    uint32_t number;  /* major << 20 | minor */
    const char *name; /* "vda" */
};

/* A block device had it in [issued, done] (request_list.h). */
struct block_request {
    time_ns issued, done; /* INT64_MIN: before the recording; INT64_MAX: not before its end */
    uint32_t device;      /* as of struct kernel_device */
    uint32_t task;        /* who asked for it, else who issued it; TASK_NONE: not known */
};

/* A run's. */
struct kernel_side {
    struct kernel_task *tasks; /* the first is idle */
    uint32_t task_count;
    struct processor *processors;
    uint32_t processor_count;
    struct kernel_device *devices;
    uint32_t device_count;
    struct block_request
        *requests; /* of all devices, by when they were issued, but of joined runs */
    size_t request_count;
    struct kernel_pause *pauses; /* by time; none of them overlap, but those of joined runs */
    uint32_t pause_count;
    uint32_t intervals_paused; /* left out for a pause (watched_interval.h) */
    uint64_t events;           /* that the kernel told of and were kept, in processors_ns of all */
    uint64_t processors_ns;    /* processors together */
    uint64_t slept,
        unwoken; /* how often the run's threads were blocked; of them, without a waking told */
    uint64_t waits_joined;       /* blocks that both wrappers and the kernel recorded */
    uint64_t waits_contradicted; /* of them: the thread ran again before its waker let it go on */
    uint32_t joined;             /* it is of so many runs, one behind the other; 0: of one */
    time_ns clocks_apart; /* the kernel's clock and the processes' disagree by so much at least */
};

/* The last off_cpu of a block of the thread, or NULL. */
static inline const struct off_cpu *off_of_block(const struct timeline_thread *thread,
                                                 uint32_t block)
{
    uint32_t off = thread->block_offs ? thread->block_offs[block] : 0;
    return off ? &thread->offs[off - 1] : NULL;
}
/* The last of the offs that ended in a waking, from `off` back to `since`, or NULL. */
static inline const struct off_cpu *off_with_waking(const struct timeline_thread *thread,
                                                    const struct off_cpu *off, time_ns since)
{
    while (off && off->cause == OFF_RUNNABLE)
        off = off > thread->offs && off[-1].in > since ? off - 1 : NULL;
    return off;
}
/* The thread of the run that a task is, or THREAD_NONE. */
static inline uint32_t kernel_task_thread(const struct timelines *run, uint32_t task)
{
    return task == TASK_NONE ? THREAD_NONE : run->kernel_side->tasks[task].thread;
}
/* The task is a thread of the programs that were watched. */
static inline bool kernel_task_is_of_run(const struct kernel_side *side, uint32_t task)
{
    return task != TASK_IDLE &&
           (side->tasks[task].thread != THREAD_NONE || side->tasks[task].whose == TRACE_WHOSE_RUN);
}
/* The name of a device, or NULL. */
const char *kernel_device_name(const struct kernel_side *side, uint32_t number);
/* The task's first off that ends behind `time`, or off_count. */
uint32_t kernel_task_off_behind(const struct kernel_task *task, time_ns time);
/* The index of the processor's last use that began at `time` or before, or -1. */
int64_t processor_use_at(const struct processor *processor, time_ns time);
/* Who had the processors was recorded; false: of threads nothing but sums is known, or nothing at all. */
bool kernel_side_has_switches(const struct kernel_side *side);
/* How much of [from, until] is in no pause. */
time_ns kernel_side_recorded(const struct kernel_side *side, time_ns from, time_ns until);

#endif
