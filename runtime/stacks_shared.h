/* stacks_shared.h - where the calls of a stack are kept that any thread of the process may come to.
 *
 *     saved_calls *calls = stacks_shared_calls(high);      the same for all threads; or NULL: full
 *
 * A stack is told by its high end. Slots are never given back: another stack that ends there has
 * the same one. No locks.
 */
#ifndef RUNTIME_STACKS_SHARED_H
#define RUNTIME_STACKS_SHARED_H

#include "runtime/saved_calls.h"

saved_calls *stacks_shared_calls(uintptr_t high);

#endif
