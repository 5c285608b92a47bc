/* seen_call.h - a call that the graph of direct calls does not know, and that a run made.
 */
#ifndef SYMBOL_SEEN_CALL_H
#define SYMBOL_SEEN_CALL_H

#include <stdint.h>

/* A call through a pointer that was seen. */
struct seen_call {
    uint32_t caller; /* function */
    uint32_t callee; /* function with a body in the tree */
};

#endif
