/* saved_calls.h - the calls that are open on a stack that no thread is on.
 *
 *     saved_calls stack = 0, calls = 0;
 *     saved_calls_add(&calls, &call); ...         from the outermost to the innermost
 *     saved_calls_put(&stack, calls);             what was there is forgotten
 *     for (calls = saved_calls_take(&stack); saved_calls_first(&calls, &call);) ...
 *
 * Put and take are atomic: a stack may be left by one thread and come to by another one. Room is
 * one pool of the process, without locks; where that is full, calls are not saved. Signal-safe.
 */
#ifndef RUNTIME_SAVED_CALLS_H
#define RUNTIME_SAVED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/open_call.h"

/* The calls are known by their first and their last group in the pool; 0: there are none. */
typedef uint64_t saved_calls;

void saved_calls_add(saved_calls *calls, const struct open_call *call);
/* The outermost call is taken; false: there is none. */
bool saved_calls_first(saved_calls *calls, struct open_call *call);
void saved_calls_forget(saved_calls calls);

void saved_calls_put(saved_calls *slot, saved_calls calls);
saved_calls saved_calls_take(saved_calls *slot);

#endif
