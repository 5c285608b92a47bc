/* Stands in for variance/ where these tests are built without it. */
#include "variance/variance_tree.h"

const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = {"interval",    "function",    "call",  "body",
                                        "woken-by",    "wait",        "queue", "io",
                                        "unexplained", "for-another", "probes"};
    return names[kind];
}
