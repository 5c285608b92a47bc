/* open_call.h - a timed call that has not ended, with all that its record needs. */
#ifndef RUNTIME_OPEN_CALL_H
#define RUNTIME_OPEN_CALL_H

#include <stdint.h>

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

struct open_call {
    struct vprof_call_1 call;
    uint64_t target; /* address of the function that it calls, if `call.target` has CALL_TARGET */
    uint64_t began;  /* ticks at its entry, if `call.target` has CALL_PART: `call.start` is later */
    uint32_t epoch;  /* of sites, in which it was entered */
};

/* The bits of `call.target` say that the call has a target, and that the thread was on other stacks
 * since its entry. */
enum { CALL_TARGET = 1, CALL_PART = 2 };

#endif
