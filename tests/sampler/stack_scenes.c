/* sampler_stack_scenes TIME_MS - works in turns of exactly 1 ms, by the clock that the kernel's timers go by: the first
 * 3 tenths of each in `early`, the rest in `late`. Prints "early NS late NS": how long it had a processor in each. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static volatile unsigned long sum;
static volatile int turns;

static uint64_t time_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void work(void)
{
    for (int i = 0; i < 1000; i++)
        sum += (unsigned)i;
}

static uint64_t now_ns(void)
{
    return time_of(CLOCK_MONOTONIC);
}

/* Until the phase of the turn. */
KEPT static void early(void)
{
    do
        work();
    while (now_ns() % 1000000 < 300000);
    turns++;
}

KEPT static void late(void)
{
    do
        work();
    while (now_ns() % 1000000 >= 300000);
    turns++;
}

int main(int argc, char **argv)
{
    uint64_t end_ns = now_ns() + (argc > 1 ? strtoull(argv[1], NULL, 0) : 1000) * 1000000;
    uint64_t at_ns = time_of(CLOCK_THREAD_CPUTIME_ID), took_ns[2] = {0};
    while (now_ns() < end_ns)
        for (int i = 0; i < 2; i++) {
            (i ? late : early)();
            uint64_t then_ns = at_ns;
            at_ns = time_of(CLOCK_THREAD_CPUTIME_ID);
            took_ns[i] += at_ns - then_ns;
        }
    printf("early %" PRIu64 " late %" PRIu64 "\n", took_ns[0], took_ns[1]);
    return turns == 0;
}
