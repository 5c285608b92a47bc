/* jumps.c N: N times a jump leaves two timed calls, from a loop that never ends itself, as servers
 * do with errors; then one from a handler, and one over more calls than are watched. */
#pragma redefine_extname longjmp vprof_longjmp_1
#pragma redefine_extname siglongjmp vprof_siglongjmp_1
#include "target.h"

VPROF_REDIRECT_JUMP(longjmp)
VPROF_REDIRECT_JUMP(siglongjmp)

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;

#ifdef TEST_INLINED
#define PART static inline __attribute__((always_inline))
#else
#define PART static
#endif

PART void field(int way)
{
    VPROF_FUNCTION(3)
    sleep_us(1);
    if (way == 1)
        longjmp(back, 1);
    if (way == 2)
        raise(SIGUSR1);
}

PART void parse(int way)
{
    VPROF_FUNCTION(2)
    field(way);
}

PART void reply(void)
{
    VPROF_FUNCTION(4)
    field(0);
}

static void deep(int n)
{
    VPROF_FUNCTION(5)
    if (n == 0)
        longjmp(back, 1);
    if (n > 0)
        deep(n - 1);
    sleep_us(0);
}

/* Who returns tells of all that the jump left in it. */
static void dive(void)
{
    VPROF_FUNCTION(14)
    if (sigsetjmp(back, 1) == 0)
        deep(100);
    reply();
}

/* The outer of the two goes on, and is left with the inner one still to be recorded. */
static void again(int inner)
{
    VPROF_FUNCTION(8)
    if (inner)
        longjmp(back, 1);
    if (sigsetjmp(back, 1) == 0)
        again(1);
    sleep_us(0);
}

static void handler(int number)
{
    VPROF_FUNCTION(6)
    (void)number;
    siglongjmp(back, 1);
}

static void turn(int way)
{
    VPROF_FUNCTION(1)
    if (sigsetjmp(back, 1) == 0) {
        parse(way);
        CHECK(way == 0);
    } else {
        reply();
    }
}

PART void look_up(void)
{
    VPROF_FUNCTION(13)
    longjmp(back, 1);
}

/* The second jump leaves what is entered anew, while the first one's calls may not be told yet. */
static void serve(int turns)
{
    VPROF_FUNCTION(7)
    for (volatile int i = 0; i < turns; i++)
        if (sigsetjmp(back, 1) == 0) {
            parse(1);
        } else {
            VPROF_FUNCTION(12)
            reply();
            if (sigsetjmp(back, 1) == 0)
                look_up();
            parse(0);
        }
}

/* ---- a thread whose signal stack lies above or below its own */

#define STACK (256u << 10)
static char stacks[2 * STACK] __attribute__((aligned(4096)));
static volatile sig_atomic_t leave;

static void on_its_own_stack(int number)
{
    VPROF_FUNCTION(11)
    (void)number;
    if (leave)
        siglongjmp(back, 1);
}

static void inner(void)
{
    VPROF_FUNCTION(10)
    longjmp(back, 1);
}

static void outer(void)
{
    VPROF_FUNCTION(9)
    leave = 0;
    if (sigsetjmp(back, 1) == 0)
        inner();
    raise(SIGUSR2);
    leave = 1;
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR2);
    field(0);
}

static void *with_signal_stack(void *memory)
{
    stack_t stack = {.ss_sp = memory, .ss_size = STACK};
    struct sigaction action = {.sa_handler = on_its_own_stack, .sa_flags = SA_ONSTACK};
    CHECK(sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR2, &action, NULL) == 0);
    outer();
    return NULL;
}

static void beside(char *stack, char *signal_stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0 &&
          pthread_attr_setstack(&attributes, stack, STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, with_signal_stack, signal_stack) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 && signal(SIGUSR1, handler) != SIG_ERR);
    serve(atoi(argv[1]));
    turn(0);
    turn(1);
    turn(2);
    again(0);
    dive();
    beside(stacks, stacks + STACK);
    beside(stacks + STACK, stacks);
    return 0;
}
