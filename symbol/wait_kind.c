#include "symbol/wait_kind.h"

const char *wait_kind_name(enum wait_kind kind)
{
    static const char *const names[WAIT_KINDS] = {[WAIT_NONE] = "",
                                                  [WAIT_WAKE_UP] = "wake-up latency",
                                                  [WAIT_UNKNOWN_WAKER] = "unknown waker",
                                                  [WAIT_GAVE_UP] = "timed out or interrupted",
                                                  [WAIT_OTHERS] = "waiting for others",
                                                  [WAIT_FOR_THREAD] = "waiting",
                                                  [WAIT_HAND_OVER] = "queue (undeclared)"};
    return names[kind];
}
