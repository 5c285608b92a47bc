/* stacks.h - the stacks that a thread is on by turns: fibers, coroutines that have stacks.
 *
 *     stacks_look(at);                  `at` is where the stack ends: is it another one's now?
 *
 *   stack 1  | main | serve | yield |          the thread came to stack 2: the calls of stack 1 end
 *   stack 2                 | main | parse |   their part there, and begin one when it comes back
 *
 * frames.h knows the calls of the stack that the thread is on. When it comes to another one each of
 * them has a record of its part so far (TRACE_PART), and they are saved; those of the other stack
 * are there again, with `start` now. So calls nest in every log, and what a call takes is known
 * wherever it goes on, also in another thread. A change takes as long
 * as there are open calls on the two stacks, and a search among the thread's stacks.
 *
 * swapcontext() and setcontext() say where they go to. Else a stack is known by its addresses: a
 * thread's own has bounds; any other one reaches from the first call seen there as far as its calls
 * do. Annotations look, and so does a call that is left and was not entered last; once a thread has
 * several, every call that is entered or left does. Signal-safe; no locks; errno is kept. Handlers
 * on a signal stack are on the stack that they interrupted.
 */
#ifndef RUNTIME_STACKS_H
#define RUNTIME_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/log.h"

/* The main thread calls this before there is any other. */
void stacks_start_up(void);

/* stacks_look() comes here where the stack may be another one than before; the result tells whether
 * it is. */
bool stacks_come(uintptr_t at);

static inline bool stacks_is_here(uintptr_t at)
{
    return at - log_self.stack_low < log_self.stack_bytes;
}

static inline bool stacks_look(uintptr_t at)
{
    return __builtin_expect(!stacks_is_here(at), 0) && stacks_come(at);
}

/* A function that the program calls looks from its own frame. */
#define STACKS_LOOK() stacks_look((uintptr_t)__builtin_frame_address(0))

/* The calls from `index` on are in truth on other stacks than what is at `at`: until `now` they
 * were taken for called on this one. */
void stacks_part(uint32_t index, uintptr_t at, uint64_t now);
/* A call that is at `other` may be on another stack than the one at `at`, both of which are on this
 * one as far as is known. */
bool stacks_may_differ(uintptr_t other, uintptr_t at);

/* The two addresses are on the stack that the thread is on, as far as is known. */
bool stacks_are_same(uintptr_t a, uintptr_t b);

/* A signal stack lies anywhere: what is on it leaves nothing of the thread's other stacks. */
bool stacks_is_on_signal_stack_only(uintptr_t at, uintptr_t other);

/* Threads that are made with these attributes (or NULL) have so large stacks; the new thread says
 * so itself. */
uint32_t stacks_own_kib(const void *attributes);

/* After the first of these the thread's calls are refused, and counted as lost, until the second
 * gets what it gave. */
uint32_t stacks_stop(void);
void stacks_go_on(uint32_t epoch);

/* The thread ends. */
void stacks_end(void);

/* The thread will go on at `at`, on a stack of `size` bytes from `low` on; of a `size` of 0 only
 * `at` is known. False: that is the stack which it is on. True also where it can't be told. */
bool stacks_go(uintptr_t at, uintptr_t low, size_t size);

#endif
