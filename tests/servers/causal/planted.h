/* planted.h - busy time in a server, in a function of its own: its length is told by the environment.
 *
 *     PLANTED(plan, "PLANTED_PLAN_US")     at the top of a file: planted_plan()
 *     PLANTED_UNDER_LOCK(store, "...")     the same, of which one thread at a time may be in it: held_store()
 *     PLANTED_PLAN_US=300                  how long it is busy; 0, or not set: not at all
 *     PLANTED_TURNS_PER_US=1234            how fast the machine is, as turns.c says
 *
 * It is work, not time on a processor: what a profiler takes on top is not counted as done.
 */
#ifndef PLANTED_H
#define PLANTED_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static inline void planted_turns(uint64_t turns)
{
    uint64_t x = turns;
    uint64_t i;
    for (i = 0; i < turns; i++) {
        x = x * UINT64_C(6364136223846793005) + 1;
        __asm__ volatile("" : : "r"(x));
    }
}

static inline double planted_number(const char *name)
{
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

#define PLANTED(name, variable)                                                                    \
    static __attribute__((noinline)) void planted_##name(void)                                     \
    {                                                                                              \
        static int64_t turns = -1;                                                                 \
        if (turns < 0)                                                                             \
            turns = (int64_t)(planted_number(variable) * planted_number("PLANTED_TURNS_PER_US"));  \
        planted_turns((uint64_t)turns);                                                            \
    }

#define PLANTED_UNDER_LOCK(name, variable)                                                         \
    PLANTED(name, variable)                                                                        \
    static void held_##name(void)                                                                  \
    {                                                                                              \
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;                                   \
        pthread_mutex_lock(&lock);                                                                 \
        planted_##name();                                                                          \
        pthread_mutex_unlock(&lock);                                                               \
    }

#endif
