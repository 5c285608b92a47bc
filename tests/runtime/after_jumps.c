/* after_jumps.c: after a jump the thread's calls are soon as cheap as before, whatever it may have
 * left: where it says how far it goes, where it does not, from a handler, from a signal stack, to a
 * context, one after the other. Prints for each case whether the probes do their work themselves.
 */
#pragma redefine_extname longjmp vprof_longjmp_1
#pragma redefine_extname siglongjmp vprof_siglongjmp_1
#include "target.h"

VPROF_REDIRECT_JUMP(longjmp)
VPROF_REDIRECT_JUMP(siglongjmp)

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

enum { CALLS = 200 };

static sigjmp_buf back;
static ucontext_t context;

static __attribute__((noinline)) void leaf(void)
{
    VPROF_FUNCTION(2)
    __asm__ volatile("");
}

static __attribute__((noinline)) void request(void (*way)(void))
{
    VPROF_FUNCTION(3)
    leaf();
    way();
}

static void known(void)
{
    longjmp(back, 1);
}

/* As objects do that were built for an older runtime. */
static void unknown(void)
{
    VPROF_HOOK_1(jump)();
    vprof_real_longjmp_1(back, 1);
}

static void handler(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static void from_handler(void)
{
    raise(SIGUSR1);
}

static void from_signal_stack(void)
{
    raise(SIGUSR2);
}

static void to_context(void)
{
    VPROF_HOOK_1(context_set)(0, &context);
}

static void check_cheap(const char *name)
{
    for (int i = 0; i < CALLS; i++)
        leaf();
#if defined(__x86_64__) && defined(__LP64__)
    if (vprof_direct_1.thread) {
        const struct vprof_thread_1 *self = vprof_direct_self_1(vprof_direct_1.thread);
        printf("%s %s %u\n", name, self->jumped ? "slow" : "cheap", self->depth);
        return;
    }
#endif
    printf("%s - 0\n", name);
}

static __attribute__((noinline)) void jump(const char *name, void (*way)(void))
{
    if (sigsetjmp(back, 1) == 0)
        request(way);
    check_cheap(name);
}

static __attribute__((noinline)) void jump_to_context(const char *name)
{
    volatile int times = 0;
    CHECK(getcontext(&context) == 0);
    if (times++ == 0)
        request(to_context);
    check_cheap(name);
}

static __attribute__((noinline)) void jump_often(const char *name, int times)
{
    for (volatile int i = 0; i < times; i++)
        if (sigsetjmp(back, 0) == 0)
            request(known);
    check_cheap(name);
}

int main(void)
{
    VPROF_FUNCTION(1)
    static char memory[64 << 10];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction other = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    CHECK(signal(SIGUSR1, handler) != SIG_ERR && sigaltstack(&stack, NULL) == 0 &&
          sigaction(SIGUSR2, &other, NULL) == 0);
    check_cheap("before");
    jump("known", known);
    jump("unknown", unknown);
    jump("handler", from_handler);
    jump("signal-stack", from_signal_stack);
    jump_to_context("context");
    jump_often("often", 1000);
    return 0;
}
