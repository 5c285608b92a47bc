/* work.h - work of a known length, for programs whose speed-ups are known in closed form.
 *
 *     work_start(argc, argv);                "--faster parse=0.5": parse has that part of its work less
 *     work_ms(left("parse") * 2.0);          busy for 2 ms, or for what is left of them
 *
 * A chain of multiplications takes the same time wherever it runs; how long one takes is measured at
 * the start. It is work, not time on a processor: what a profiler takes on top is not counted as done.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "vprof_api.h"

static double work_per_ms;
static int work_argc;
static char **work_argv;

static double work_clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static __attribute__((noinline)) void work_turns(uint64_t turns)
{
    uint64_t x = turns;
    for (uint64_t i = 0; i < turns; i++) {
        x = x * UINT64_C(6364136223846793005) + 1;
        __asm__ volatile("" : : "r"(x));
    }
}

/* The fastest of many tries is the one that nothing came between. */
static void work_start(int argc, char **argv)
{
    enum { TRIES = 50, TURNS = 200000 };
    double best = 1e9;
    work_argc = argc;
    work_argv = argv;
    for (int i = 0; i < TRIES; i++) {
        double from = work_clock_ms(CLOCK_THREAD_CPUTIME_ID);
        work_turns(TURNS);
        double took = work_clock_ms(CLOCK_THREAD_CPUTIME_ID) - from;
        best = took < best ? took : best;
    }
    work_per_ms = TURNS / best;
}

static void work_ms(double ms)
{
    if (ms > 0)
        work_turns((uint64_t)(ms * work_per_ms));
}

/* Of the processors that the program may have, the calling thread has that one, from 0; where there are fewer, any. */
static __attribute__((unused)) void work_on_processor(unsigned number)
{
    enum { WORDS = 16, BITS = 8 * sizeof(unsigned long) };
    unsigned long all[WORDS] = {0}, one[WORDS] = {0};
    syscall(SYS_sched_getaffinity, 0, sizeof all, all);
    for (unsigned bit = 0; bit < WORDS * BITS; bit++)
        if (all[bit / BITS] >> bit % BITS & 1 && number-- == 0) {
            one[bit / BITS] = 1ul << bit % BITS;
            syscall(SYS_sched_setaffinity, 0, sizeof one, one);
        }
}

/* The value of "--NAME X" on the command line, or `usual`. */
static __attribute__((unused)) double work_option(const char *name, double usual)
{
    for (int i = 1; i + 1 < work_argc; i++)
        if (strncmp(work_argv[i], "--", 2) == 0 && strcmp(work_argv[i] + 2, name) == 0)
            return atof(work_argv[i + 1]);
    return usual;
}

/* What is left of a function's work: all of it, but for "--faster NAME=PART". */
static __attribute__((unused)) double left(const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i + 1 < work_argc; i++)
        if (strcmp(work_argv[i], "--faster") == 0 && strncmp(work_argv[i + 1], name, length) == 0 &&
            work_argv[i + 1][length] == '=')
            return 1 - atof(work_argv[i + 1] + length + 1);
    return 1;
}

/* Programs run for "--seconds", usually until they are ended. */
static __attribute__((unused)) int work_goes_on(void)
{
    static double until;
    if (until == 0)
        until = work_clock_ms(CLOCK_MONOTONIC) + work_option("seconds", 1e6) * 1e3;
    return work_clock_ms(CLOCK_MONOTONIC) < until;
}
