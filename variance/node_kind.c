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
