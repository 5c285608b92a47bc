/* 5 fibers that jump to each other: each is begun by a signal on a stack that is the thread's signal stack only then, as
   portable fiber libraries do, and goes on by longjmp. encode takes 0.2 or, one time in seven, 4 ms; errors leave functions
   by longjmp within a fiber, too. */
#include <setjmp.h>
#include <signal.h>
#include "own.h"
#include <vprof_api.h>
enum { FIBERS = 5, EACH = 40, STACK = 65536 };
static char memory[FIBERS][STACK] __attribute__((aligned(64)));
static sigjmp_buf scheduler, fiber[FIBERS], error[FIBERS];
static long active[FIBERS];
static volatile int current, left = FIBERS, over[FIBERS];
void yield_fiber(void)
{
    int me = current;
    if (sigsetjmp(fiber[me], 0) == 0) siglongjmp(scheduler, 1);
    SI_ENTER(active[me]);
}
void encode(unsigned r, struct own_row *row) { long a = NOW(); NAP(r % 7 == 0 ? 4000 : 200); row->part[0] += NOW() - a; }
void check_input(unsigned r) { yield_fiber(); if (r % 3 == 0) siglongjmp(error[current], 1); }
void convert(unsigned r, struct own_row *row) { check_input(r); yield_fiber(); encode(r, row); }
void repair(unsigned r, struct own_row *row) { yield_fiber(); encode(r, row); }
void serve(int me, int i, unsigned long *seed)
{
    struct own_row *row = OWN_ROW();
    unsigned r = RNG(*seed);
    active[me] = me * 1000L + i + 1;
    row->begin = NOW();
    SI_BEGIN(active[me]);
    if (sigsetjmp(error[me], 0) == 0) convert(r, row);
    else repair(r, row);
    SI_END(active[me]);
    row->end = NOW();
    row->used = 1;
    active[me] = (long)SI_NONE;
}
void fiber_main(int me)
{
    unsigned long seed = (unsigned)me + 21;
    for (int i = 0; i < EACH; i++) { serve(me, i, &seed); yield_fiber(); }
    over[me] = 1;
    left--;
    siglongjmp(scheduler, 1);
}
static void begin(int number)
{
    int me = current;
    (void)number;
    if (sigsetjmp(fiber[me], 0) == 0) return; /* when it is come to again it is no signal's any more */
    fiber_main(current);
}
static void make(int me)
{
    stack_t stack = {.ss_sp = memory[me], .ss_size = STACK}, none = {.ss_flags = SS_DISABLE};
    struct sigaction action = {.sa_handler = begin, .sa_flags = SA_ONSTACK};
    current = me;
    active[me] = (long)SI_NONE;
    sigaction(SIGUSR1, &action, NULL);
    sigaltstack(&stack, NULL);
    raise(SIGUSR1);
    sigaltstack(&none, NULL);
}
int main(void)
{
    own_open();
    for (int f = 0; f < FIBERS; f++) make(f);
    while (left)
        for (current = 0; current < FIBERS; current++) {
            if (over[current]) continue;
            if (sigsetjmp(scheduler, 0) == 0) siglongjmp(fiber[current], 1);
            SI_ENTER(SI_NONE);
        }
    own_close("encode", NULL);
    return 0;
}
