#include "symbol/wait_kind.h"

const char *wait_kind_name(enum wait_kind kind)
{
    static const char *const names[WAIT_KINDS] = {[WAIT_NONE] = "",
                                                  [WAIT_WAKE_UP] = "wake-up latency",
                                                  [WAIT_UNKNOWN_WAKER] = "unknown waker",
                                                  [WAIT_GAVE_UP] = "timed out or interrupted",
                                                  [WAIT_OTHERS] = "waiting for others",
                                                  [WAIT_FOR_THREAD] = "waiting",
                                                  [WAIT_HAND_OVER] = "queue (undeclared)",
                                                  [WAIT_PREEMPTED] = "preempted",
                                                  [WAIT_PROCESSOR] = "waiting for a processor",
                                                  [WAIT_TIMER] = "timer",
                                                  [WAIT_NETWORK] = "network",
                                                  [WAIT_DISK] = "disk",
                                                  [WAIT_FAULT] = "page fault",
                                                  [WAIT_INTERRUPT] = "interrupt",
                                                  [WAIT_OUTSIDE] = "another process",
                                                  [WAIT_ASLEEP] = "asleep"};
    return names[kind];
}

const char *wait_kind_kernel(enum wait_kind kind)
{
    static const char *const names[WAIT_KINDS] = {
        [WAIT_PREEMPTED] = "processor", [WAIT_PROCESSOR] = "processor", [WAIT_TIMER] = "timer",
        [WAIT_NETWORK] = "network",     [WAIT_DISK] = "disk",           [WAIT_FAULT] = "fault",
        [WAIT_INTERRUPT] = "interrupt", [WAIT_OUTSIDE] = "outside",     [WAIT_ASLEEP] = "asleep"};
    return names[kind];
}
