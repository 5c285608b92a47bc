"""The program that `probe.py` times: an interval's root calls K leaf functions of about 50 to 130 ns each.

`source(leaves)` is plain C. What a variant puts at the entry and exit of a function is in the macros ENTER and
LEAVE of a header that is chosen with -include; without one they are nothing.
"""

HEAD = """\
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef ENTER
#define START_UP()
#define START_THREAD()
#define ENTER(n)
#define LEAVE(n)
#endif
"""

# Two dependency chains, as real code has several. Few branches: whether the loop's exit is predicted
# must not depend on what branches a variant adds, or it shows as 5 ns a call.
LEAF = """\
static __attribute__((noinline)) uint64_t leaf_{n}(uint64_t x)
{{
    ENTER({n})
    uint64_t y = x + {n};
_Pragma("GCC unroll 4")
    for (int i = 0; i < {turns}; i++) {{
        x = x * UINT64_C(6364136223846793005) + {n};
        y = (y ^ (y >> 7)) * UINT64_C(0x9e3779b97f4a7c15);
    }}
    x ^= y;
    LEAVE({n})
    return x;
}}
"""

# Each call stands where it is made, as most do: through one pointer for all, how many of them are
# predicted would depend on the variant.
TAIL = """\
static int leaf_count, root_count;
static __attribute__((noinline)) uint64_t root(uint64_t x)
{{
    ENTER({root})
    int left = leaf_count;
{calls}
done:
    LEAVE({root})
    return x;
}}
static double cpu_ns(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}}
static pthread_barrier_t together;
static double spent_ns[64];
static uint64_t sink[64];
static void *run(void *argument)
{{
    int me = (int)(intptr_t)argument;
    START_THREAD()
    uint64_t x = 1;
    for (int i = 0; i < root_count / 10; i++)
        x = root(x);
    pthread_barrier_wait(&together);
    double start = cpu_ns();
    for (int i = 0; i < root_count; i++)
        x = root(x);
    spent_ns[me] = cpu_ns() - start;
    sink[me] = x;
    return NULL;
}}
/* usage: work LEAVES CALLS THREADS: prints ns of processor time for each call of a leaf */
int main(int argc, char **argv)
{{
    leaf_count = atoi(argv[1]);
    root_count = atoi(argv[2]) / leaf_count;
    int threads = argc > 3 ? atoi(argv[3]) : 1;
    pthread_t others[64];
    double total = 0;
    START_UP()
    pthread_barrier_init(&together, NULL, (unsigned)threads);
    for (int i = 1; i < threads; i++)
        pthread_create(&others[i], NULL, run, (void *)(intptr_t)i);
    run(NULL);
    for (int i = 1; i < threads; i++)
        pthread_join(others[i], NULL);
    for (int i = 0; i < threads; i++)
        total += spent_ns[i];
    printf("%.3f\\n", total / threads / root_count / leaf_count);
    return sink[0] == 42;
}}
"""

# What recording a call costs at least: two reads of the clock and one 16-byte store into a file mapping
# whose pages are there. `BOUND_MONOTONIC` chooses the clock. With `BOUND_WRITTEN` the pages are written before
# they are mapped, which makes one folio of 16 of them: the least that is known.
BOUND = """\
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>
#define WINDOW (UINT64_C(1) << 20)
static int bound_fd;
static uint64_t bound_end;
static __thread uint64_t *bound_at, *bound_limit;
static __attribute__((noinline, unused)) void bound_window(void)
{
    uint64_t offset = __atomic_fetch_add(&bound_end, WINDOW, __ATOMIC_RELAXED);
    if (bound_at)
        munmap((char *)bound_limit - WINDOW, WINDOW);
    if (posix_fallocate(bound_fd, (off_t)offset, WINDOW) != 0)
        abort();
    bound_at = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, bound_fd, (off_t)offset);
    if (bound_at == MAP_FAILED)
        abort();
#ifdef BOUND_WRITTEN
    static char zeros[64 << 10];
    for (uint64_t done = 0; done < WINDOW; done += sizeof zeros)
        if (pwrite(bound_fd, zeros, sizeof zeros, (off_t)(offset + done)) != (ssize_t)sizeof zeros)
            abort();
#endif
    if (madvise(bound_at, WINDOW, 23 /* MADV_POPULATE_WRITE */) != 0)
        abort();
    bound_limit = bound_at + WINDOW / sizeof *bound_at;
}
static inline uint64_t bound_clock(void)
{
#ifdef BOUND_MONOTONIC
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#else
    return __rdtsc();
#endif
}
#define START_UP() bound_fd = open(getenv("BOUND_FILE"), O_RDWR | O_CREAT | O_TRUNC, 0600);
#define START_THREAD() bound_window();
#define ENTER(n) uint64_t entered = bound_clock();
#ifdef BOUND_CLOCK_ALONE
static __thread uint64_t bound_sum __attribute__((used));
#define LEAVE(n) bound_sum += bound_clock() - entered;
#else
#define LEAVE(n)                                                                                   \\
    if (__builtin_expect(bound_at == bound_limit, 0))                                              \\
        bound_window();                                                                            \\
    bound_at[1] = (bound_clock() - entered) << 24 | (n);                                           \\
    bound_at[0] = entered << 8 | 4;                                                                \\
    bound_at += 2;
#endif
"""


LTTNG_PROVIDER = """\
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER probe_work
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./lttng_work.h"
#if !defined(LTTNG_WORK_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_WORK_H
#include <lttng/tracepoint.h>
TRACEPOINT_EVENT(probe_work, enter, TP_ARGS(int, n), TP_FIELDS(ctf_integer(int, n, n)))
TRACEPOINT_EVENT(probe_work, leave, TP_ARGS(int, n), TP_FIELDS(ctf_integer(int, n, n)))
#endif
#include <lttng/tracepoint-event.h>
"""

LTTNG = """\
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "lttng_work.h"
#define START_UP()
#define START_THREAD()
#define ENTER(n) tracepoint(probe_work, enter, n);
#define LEAVE(n) tracepoint(probe_work, leave, n);
"""


# usage: lock PAIRS THREADS: prints ns of processor time for a lock and its unlock that nobody contends for.
LOCK = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long counter;
static void *sleeper(void *arg)
{
    pause();
    return arg;
}
static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
    long pairs = atol(argv[1]);
    pthread_t other;
    if (argc > 2 && atoi(argv[2]) > 1)
        pthread_create(&other, NULL, sleeper, NULL);
    double start = cpu_ns();
    for (long i = 0; i < pairs; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    printf("%.3f\\n", (cpu_ns() - start) / (double)pairs);
    return 0;
}
"""


def source(leaves):
    text = [HEAD]
    for n in range(leaves):
        text.append(LEAF.format(n=n, turns=40 + 12 * ((n + 2) * 7 % 5)))
    calls = "\n".join(f"    x = leaf_{n}(x);\n    if (--left == 0)\n        goto done;" for n in range(leaves))
    text.append(TAIL.format(root=leaves, calls=calls))
    return "".join(text)
