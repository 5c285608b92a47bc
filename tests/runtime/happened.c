/* happened.c COUNTS CASE N... - makes records and counts each of them, when it is written, in the
 * file COUNTS: one number for each slot, which is a thread or a process.
 *
 *     kill THREADS PAUSE        for ever; PAUSE turns of a loop between records
 *     live MS END               two threads, for MS; END is exit, _exit or kill
 *     threads THREADS N         N records each
 *     churn THREADS N           the same for ever, each time by new threads
 *     forks N                   N children, which end in different ways
 *     locks THREADS N           one interval with N lock pairs, each in a timed function
 *     outside N INTERVALS       intervals of ten calls each, and N calls outside of any
 */
#include "target.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static volatile unsigned long *made;
static long pause_turns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long lock_pairs;

static void call(void)
{
    VPROF_FUNCTION(1)
}

/* Exactly one record; all but the calls carry their number and their slot. */
static void step(unsigned long slot)
{
    unsigned long n = made[slot];
    if (n % 3 == 0)
        VPROF_ENQUEUE(slot, n);
    else if (n % 3 == 1)
        call();
    else
        SI_VALUE(slot, "n", n);
    made[slot] = n + 1;
}

static void *for_ever(void *slot)
{
    for (;;) {
        step((unsigned long)slot);
        for (volatile long i = 0; i < pause_turns; i++)
            ;
    }
    return NULL;
}

static void start(pthread_t *thread, void *(*routine)(void *), unsigned long argument)
{
    CHECK(pthread_create(thread, NULL, routine, (void *)argument) == 0);
}

static void run_kill(unsigned long threads, long turns)
{
    pthread_t thread;
    pause_turns = turns;
    for (unsigned long i = 1; i < threads; i++)
        start(&thread, for_ever, i);
    for_ever(NULL);
}

static void end(const char *how)
{
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    exit(0);
}

static volatile int stop;

static void *until_stop(void *slot)
{
    while (!stop)
        step((unsigned long)slot);
    return NULL;
}

static void run_live(long ms, const char *how)
{
    struct timespec now, last;
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &last);
    last.tv_nsec += ms * 1000000;
    start(&thread, until_stop, 1);
    do {
        step(0);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - last.tv_sec) * 1000000000 + now.tv_nsec < last.tv_nsec);
    stop = 1;
    CHECK(pthread_join(thread, NULL) == 0);
    end(how);
}

static long steps;

static void *some_steps(void *slot)
{
    for (long i = 0; i < steps; i++)
        step((unsigned long)slot);
    return NULL;
}

static void run_threads(unsigned long threads, long n)
{
    pthread_t thread[64];
    steps = n;
    CHECK(threads <= 64);
    for (unsigned long i = 0; i < threads; i++)
        start(&thread[i], some_steps, i);
    for (unsigned long i = 0; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
}

static void child(unsigned long slot)
{
    static const char *const ends[] = {"exit", "_exit", "kill"};
    pthread_t thread;
    steps = (long)(slot % 50);
    if (slot % 5 == 0) {
        start(&thread, some_steps, slot);
        CHECK(pthread_join(thread, NULL) == 0);
    } else {
        some_steps((void *)slot);
    }
    end(ends[slot % 3]);
}

/* Up to eight children live at once. */
static void run_forks(unsigned long n)
{
    for (unsigned long i = 1; i <= n; i++) {
        step(0);
        if (i > 8)
            wait(NULL);
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            child(i);
        step(0);
    }
    while (wait(NULL) > 0)
        ;
}

static void lock_pair(void)
{
    VPROF_FUNCTION(2)
    CHECK(VPROF_SYNC1(3, mutex_lock, pthread_mutex_lock, &mutex) == 0);
    if (++lock_pairs % 64 == 0)
        sched_yield(); /* for others to find it locked */
    CHECK(VPROF_SYNC1(4, mutex_unlock, pthread_mutex_unlock, &mutex) == 0);
}

static void *some_pairs(void *arg)
{
    SI_ENTER(1);
    for (long i = 0; i < steps; i++)
        lock_pair();
    return arg;
}

static void run_locks(unsigned long threads, long n)
{
    pthread_t thread[64];
    CHECK(threads >= 1 && threads <= 64);
    steps = n / (long)threads;
    SI_BEGIN(1);
    for (unsigned long i = 1; i < threads; i++)
        start(&thread[i], some_pairs, 0);
    some_pairs(NULL);
    for (unsigned long i = 1; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    SI_END(1);
    made[0] = lock_pairs;
}

static void run_outside(long n, long intervals)
{
    for (long i = 0; i < n; i++)
        call();
    for (long i = 0; i < intervals; i++) {
        SI_BEGIN(i);
        for (int c = 0; c < 10; c++)
            call();
        SI_END(i);
    }
}

static void map_counts(const char *path)
{
    struct stat s;
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && fstat(fd, &s) == 0);
    made = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(made != MAP_FAILED && close(fd) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc >= 4);
    map_counts(argv[1]);
    const char *which = argv[2];
    long n = atol(argv[3]), m = argc > 4 ? atol(argv[4]) : 0;
    if (strcmp(which, "kill") == 0)
        run_kill((unsigned long)n, m);
    else if (strcmp(which, "live") == 0)
        run_live(n, argv[4]);
    else if (strcmp(which, "threads") == 0)
        run_threads((unsigned long)n, m);
    else if (strcmp(which, "churn") == 0)
        for (;;)
            run_threads((unsigned long)n, m);
    else if (strcmp(which, "forks") == 0)
        run_forks((unsigned long)n);
    else if (strcmp(which, "locks") == 0)
        run_locks((unsigned long)n, m);
    else if (strcmp(which, "outside") == 0)
        run_outside(n, m);
    else
        return 2;
    return 0;
}
