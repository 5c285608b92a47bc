#include "runtime/contexts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "runtime/clock.h"
#include "runtime/jumps.h"
#include "runtime/stacks.h"

static uintptr_t stack_end(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* A context that makecontext() has made ends within the stack that it was given. One that
 * getcontext() or swapcontext() has filled tells where a thread was: its stack is known by that
 * address only. */
static void come(const ucontext_t *context)
{
    uintptr_t at = stack_end(context), low = (uintptr_t)context->uc_stack.ss_sp;
    size_t size = context->uc_stack.ss_size;
    bool made = at - low < size;
    if (!made && at > (uintptr_t)__builtin_frame_address(0) && stacks_is_here(at))
        jumps_made(clock_now(), at);
    if (!at || (!made && stacks_is_here(at)))
        return;
    if (!stacks_go(at, low, made ? size : 0))
        jumps_made(clock_now(), at);
}

static void leave(const void *to)
{
    int error = errno;
    STACKS_LOOK();
    if (stacks_is_here((uintptr_t)__builtin_frame_address(0)))
        come(to);
    errno = error;
}

int contexts_swap(unsigned site, void *from, const void *to)
{
    (void)site;
    leave(to);
    return swapcontext(from, to);
}

int contexts_set(unsigned site, const void *to)
{
    (void)site;
    leave(to);
    return setcontext(to);
}
