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
    WAIT_KINDS
};
const char *wait_kind_name(enum wait_kind kind); /* as nodes are called: "wake-up latency" */

#endif
