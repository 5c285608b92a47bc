/* await.h - for test programs that must know that another thread waits: it sleeps in the kernel,
 * or, where it spins, has had the processor for a while. No assumption on how long anything takes.
 */
#ifndef TESTS_RUNTIME_AWAIT_H
#define TESTS_RUNTIME_AWAIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int await_self(void)
{
    return (int)syscall(SYS_gettid);
}

static inline void await_a_little(void)
{
    struct timespec t = {0, 1000000};
    nanosleep(&t, NULL);
}

/* The state of a thread of any process, and how many clock ticks it ran. */
static inline char await_state(int tid, unsigned long *ran)
{
    char path[64], text[512] = "";
    unsigned long user = 0, kernel = 0;
    char state = '?';
    snprintf(path, sizeof path, "/proc/%d/stat", tid);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fread(text, 1, sizeof text - 1, file) > 0 && strrchr(text, ')'))
            sscanf(strrchr(text, ')') + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                   &state, &user, &kernel);
        fclose(file);
    }
    *ran = user + kernel;
    return state;
}

/* `tid` is set by the other thread just before it waits. */
static inline void await_sleep(const int *tid)
{
    unsigned long ran;
    while (!__atomic_load_n(tid, __ATOMIC_ACQUIRE) || await_state(*tid, &ran) != 'S')
        await_a_little();
}

static inline void await_spin(const int *tid)
{
    unsigned long before, ran;
    while (!__atomic_load_n(tid, __ATOMIC_ACQUIRE))
        await_a_little();
    await_state(*tid, &before);
    do {
        await_a_little();
        await_state(*tid, &ran);
    } while (ran < before + 3);
}

static inline void await_tell(int *tid)
{
    __atomic_store_n(tid, await_self(), __ATOMIC_RELEASE);
}

#endif
