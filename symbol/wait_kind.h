/* wait_kind.h - what is waited for, where that is no function.
 */
#ifndef SYMBOL_WAIT_KIND_H
#define SYMBOL_WAIT_KIND_H

enum wait_kind {
    WAIT_NONE,          /* it is no wait */
    WAIT_WAKE_UP,       /* for the processor, after the wake-up */
    WAIT_UNKNOWN_WAKER, /* for somebody who left no trace */
    WAIT_GAVE_UP,       /* in vain: it timed out, or was interrupted */
    WAIT_OTHERS,        /* for the other threads of an OpenMP region */
    WAIT_FOR_THREAD,    /* for the interval's own thread, which did something else */
    WAIT_HAND_OVER,     /* for another thread, through a queue that is not declared */
    /* As the kernel saw it: */
    WAIT_PREEMPTED, /* for a processor, which was taken away */
    WAIT_PROCESSOR, /* for a processor, after a wake-up */
    WAIT_TIMER,     /* for a time */
    WAIT_NETWORK,
    WAIT_DISK,
    WAIT_FAULT,     /* for a page to be there again */
    WAIT_INTERRUPT, /* for a device that is not known */
    WAIT_OUTSIDE,   /* for a thread of another program, or of the kernel */
    WAIT_ASLEEP,    /* for what the kernel did not tell */
    WAIT_KINDS
};
const char *wait_kind_name(enum wait_kind kind); /* as nodes are called: "wake-up latency" */
/* The kernel's part of it, as in report.json: "processor", "disk"; NULL: none. */
const char *wait_kind_kernel(enum wait_kind kind);
static inline int wait_kind_is_for_processor(enum wait_kind kind)
{
    return kind == WAIT_PREEMPTED || kind == WAIT_PROCESSOR;
}
/* It says how the call above it took its time, and not who did it. */
static inline int wait_kind_is_cause(enum wait_kind kind)
{
    return kind >= WAIT_TIMER && kind <= WAIT_ASLEEP;
}

#endif
