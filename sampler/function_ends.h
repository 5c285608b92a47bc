/* function_ends.h - the instructions at which a function's calls end: its returns.
 *
 *     handle:   push rbp ... je 1180 ... ret        an end
 *     1180:     ... jmp handle.cold                 goes on there: the ends of that part are ends
 *               ... jmp reply                       a tail call: its returns are ends, too
 *
 *     struct function_ends ends;
 *     if (function_ends_find(&ends, &object, &function, ENDS_ALL)) ends.addresses[0 .. count)
 *
 * A probe at each of them tells when a call returns, and leaves the thread's stack as it is. (The
 * kernel's return probes put an address of theirs into the stack instead: stacks cannot be unwound
 * through it, and a C++ exception that passes by ends the program.) At an end the stack pointer is what
 * it was when the function was called; returns of a tail-called function that was called by somebody
 * else can be told by it. By capstone; x86-64 only.
 */
#ifndef SAMPLER_FUNCTION_ENDS_H
#define SAMPLER_FUNCTION_ENDS_H

#include "sampler/point_object.h"

/* More of them take too many events: the kernel's return probe is cheaper then. */
enum { FUNCTION_ENDS_MOST = 32 };

struct function_ends {
    uint64_t addresses[FUNCTION_ENDS_MOST]; /* none is there twice */
    uint32_t count;
    bool begins_again; /* it jumps to where it begins: a call of it comes there several times */
};

enum function_ends_which {
    ENDS_ALL,     /* also those of functions that it goes on in */
    ENDS_OWN,     /* none in another function */
    ENDS_OR_JUMPS /* where it goes on at a place that is not known, the jump to it is an end */
};

/* False: not all ends are known. The function is one whose code cannot be taken apart, or it goes on in
 * another file or where a register says; or, where only its own ends will do, in another function. */
bool function_ends_find(struct function_ends *ends, const struct point_object *object,
                        const struct object_function *function, enum function_ends_which which);

#endif
