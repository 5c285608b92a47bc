/* fibers.c TURNS - as many calls in all by 10 fibers of a thread, then by 1,000, each in an outer
 * call of its own that is left at the end: prints the processor time of a call with the one and
 * with the other. */
#pragma redefine_extname swapcontext vprof_swapcontext_1
#include "target.h"

VPROF_REDIRECT2(int, swapcontext, context_swap, void *, const void *)

#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

enum { MOST = 1000, STACK = 32768, CALLS = 10 };
static ucontext_t scheduler, fibers[MOST];
static int current, turns;

static __attribute__((noinline)) int leaf(int n)
{
    VPROF_FUNCTION(1)
    __asm__ volatile("" : "+r"(n));
    return n;
}

static __attribute__((noinline)) void yield(void)
{
    VPROF_FUNCTION(2)
    int me = current;
    CHECK(swapcontext(&fibers[me], &scheduler) == 0);
}

static __attribute__((noinline)) void step(void)
{
    VPROF_FUNCTION(3)
    for (int i = 0; i < CALLS; i++)
        leaf(i);
    yield();
}

static void run(void)
{
    VPROF_FUNCTION(4)
    for (int i = 0; i < turns; i++)
        step();
}

static double processor_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double with(int count, int all, char *stacks)
{
    turns = all / count;
    for (int f = 0; f < count; f++) {
        getcontext(&fibers[f]);
        fibers[f].uc_stack.ss_sp = stacks + (size_t)f * STACK;
        fibers[f].uc_stack.ss_size = STACK;
        fibers[f].uc_link = &scheduler;
        makecontext(&fibers[f], run, 0);
    }
    double begin = processor_ns();
    for (int i = 0; i <= turns; i++)
        for (current = 0; current < count; current++)
            CHECK(swapcontext(&scheduler, &fibers[current]) == 0);
    return (processor_ns() - begin) / ((double)turns * count * (CALLS + 2));
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    char *stacks = mmap(NULL, (size_t)MOST * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK((void *)stacks != MAP_FAILED);
    double few = with(10, atoi(argv[1]), stacks);
    printf("%f %f\n", few, with(MOST, atoi(argv[1]), stacks));
    return 0;
}
