/* A program of which is known in which calls it runs and waits.
 *
 *     scenes OWN.json alternate SECONDS      G computes 0.4 ms, H 3.4 ms, in turns
 *     scenes OWN.json off SECONDS            f sleeps 5 ms, then computes 5 ms
 *     scenes OWN.json contexts SECONDS       top > left > shared computes 2 ms, top > right > shared 6 ms
 *     scenes OWN.json deep SECONDS DEPTH     descend calls itself 1 to DEPTH times
 *     scenes OWN.json sorted SECONDS         qsort of libc calls compare, which computes
 *     scenes OWN.json preempted SECONDS      f computes, and so does another process, on one processor
 *     scenes OWN.json threads SECONDS        8 threads "worker-N", each of which computes and sleeps
 *
 * OWN.json has what it measured itself, by its threads' own clocks. It is compiled without frame pointers.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static uint64_t clock_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static volatile uint64_t sum;
static volatile int behind; /* counted behind a call, which is then not a function's last thing */

/* So long on a processor; gives what it was. */
KEPT static uint64_t compute(uint64_t us)
{
    uint64_t begin = clock_of(CLOCK_THREAD_CPUTIME_ID), now = begin;
    while (now < begin + us * 1000) {
        for (int i = 0; i < 20000; i++)
            sum += (uint64_t)i;
        now = clock_of(CLOCK_THREAD_CPUTIME_ID);
    }
    return now - begin;
}

static uint64_t until_ns;

static int goes_on(void)
{
    return clock_of(CLOCK_MONOTONIC) < until_ns;
}

static uint64_t first_ns, second_ns, slept_ns;

KEPT static void G(void)
{
    first_ns += compute(400);
    behind++;
}

KEPT static void H(void)
{
    second_ns += compute(3400);
    behind++;
}

static void alternate(int depth)
{
    (void)depth;
    while (goes_on()) {
        G();
        H();
    }
}

KEPT static void f(void)
{
    uint64_t before = clock_of(CLOCK_MONOTONIC);
    nanosleep(&(struct timespec){0, 5000000}, NULL);
    slept_ns += clock_of(CLOCK_MONOTONIC) - before;
    first_ns += compute(5000);
    behind++;
}

static void off(int depth)
{
    (void)depth;
    while (goes_on())
        f();
}

KEPT static uint64_t shared(uint64_t us)
{
    uint64_t took = compute(us);
    behind++;
    return took;
}

KEPT static void left(void)
{
    first_ns += shared(2000);
    behind++;
}

KEPT static void right(void)
{
    second_ns += shared(6000);
    behind++;
}

KEPT static void top(void)
{
    left();
    right();
    behind++;
}

static void contexts(int depth)
{
    (void)depth;
    while (goes_on())
        top();
}

KEPT static void descend(int more)
{
    if (more > 1)
        descend(more - 1);
    else
        first_ns += compute(1000);
    behind++;
}

static void deep(int depth)
{
    for (int n = 1; goes_on(); n = n == depth ? 1 : n + 1)
        descend(n);
}

KEPT static int compare(const void *a, const void *b)
{
    first_ns += compute(100);
    behind++;
    return *(const int *)a - *(const int *)b;
}

static void sorted(int depth)
{
    int numbers[64];
    (void)depth;
    while (goes_on()) {
        for (int i = 0; i < 64; i++)
            numbers[i] = i * 37 % 64;
        qsort(numbers, 64, sizeof *numbers, compare);
    }
}

static void stay_on(int processor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* The neighbour leaves the run's processes: its parent is gone before it begins. */
static void preempted(int depth)
{
    (void)depth;
    stay_on(0);
    pid_t neighbour = fork();
    if (neighbour == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "neighbour");
        for (;;)
            sum++;
    }
    while (goes_on()) {
        first_ns += compute(1000);
        behind++;
    }
    kill(neighbour, SIGKILL);
    waitpid(neighbour, NULL, 0);
}

enum { WORKERS = 8 };

KEPT static void work(void)
{
    compute(500);
    nanosleep(&(struct timespec){0, 4000000}, NULL);
    behind++;
}

static void *work_on(void *number)
{
    char name[16];
    snprintf(name, sizeof name, "worker-%d", (int)(intptr_t)number);
    pthread_setname_np(pthread_self(), name);
    while (goes_on())
        work();
    return NULL;
}

static void threads(int depth)
{
    pthread_t made[WORKERS];
    (void)depth;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&made[i], NULL, work_on, (void *)(intptr_t)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(made[i], NULL);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int depth);
    } scenes[] = {{"alternate", alternate}, {"off", off},       {"contexts", contexts},
                  {"deep", deep},           {"sorted", sorted}, {"preempted", preempted},
                  {"threads", threads}};
    if (argc < 4)
        return 2;
    uint64_t begin = clock_of(CLOCK_MONOTONIC);
    until_ns = begin + (uint64_t)(atof(argv[3]) * 1e9);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(argv[2], scenes[i].name) == 0)
            scenes[i].run(argc > 4 ? atoi(argv[4]) : 1);
    FILE *own = fopen(argv[1], "w");
    if (!own)
        return 1;
    fprintf(own,
            "{\"first_ns\": %llu, \"second_ns\": %llu, \"slept_ns\": %llu, \"cpu_ns\": %llu, "
            "\"wall_ns\": %llu}\n",
            (unsigned long long)first_ns, (unsigned long long)second_ns,
            (unsigned long long)slept_ns, (unsigned long long)clock_of(CLOCK_THREAD_CPUTIME_ID),
            (unsigned long long)(clock_of(CLOCK_MONOTONIC) - begin));
    fclose(own);
    return 0;
}
