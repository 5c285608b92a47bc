/* target.h - what the test programs share: they are instrumented by hand, as the rewriter would. */
#ifndef TESTS_RUNTIME_TARGET_H
#define TESTS_RUNTIME_TARGET_H

#include "vprof_api.h"

#include "rewriter/probe.h"

#define VPROF_SWITCHES_1 4096
VPROF_SWITCH_TABLE_1

#include "rewriter/site.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

/* TEST_HOOKS: the probes leave all to the runtime's hooks, as they do on other machines and clocks.
 */
static __attribute__((constructor)) void leave_all_to_hooks(void)
{
#if defined(__x86_64__) && defined(__LP64__)
    if (getenv("TEST_HOOKS"))
        vprof_direct_1.thread = 0;
#endif
}

static inline void sleep_us(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static inline struct timespec after_us(long us)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += us * 1000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

#endif
