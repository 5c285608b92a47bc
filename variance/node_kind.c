#include "variance/node_kind.h"

const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = {[NODE_INTERVAL] = "interval",
                                        [NODE_FUNCTION] = "function",
                                        [NODE_CALL] = "call",
                                        [NODE_BODY] = "body",
                                        [NODE_WOKEN_BY] = "woken-by",
                                        [NODE_WAIT] = "wait",
                                        [NODE_QUEUE] = "queue",
                                        [NODE_IO] = "io",
                                        [NODE_UNEXPLAINED] = "unexplained",
                                        [NODE_FOR_ANOTHER] = "for-another",
                                        [NODE_PROBES] = "probes"};
    return names[kind];
}

const char *wait_kind_name(enum wait_kind kind)
{
    static const char *const names[WAIT_KINDS] = {[WAIT_NONE] = "",
                                                  [WAIT_WAKE_UP] = "wake-up latency",
                                                  [WAIT_UNKNOWN_WAKER] = "unknown waker",
                                                  [WAIT_GAVE_UP] = "timed out or interrupted",
                                                  [WAIT_OTHERS] = "waiting for others",
                                                  [WAIT_FOR_THREAD] = "waiting",
                                                  [WAIT_HAND_OVER] = "hand-over"};
    return names[kind];
}
