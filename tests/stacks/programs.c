/* Programs of every kind, of which it is known what they compute: programs SCENE SECONDS [WORDS].
 *
 *     plain SECONDS               first_work and second_work in turns of 3 and 1 ms, below turns
 *     plugins SECONDS ONE TWO     loads ONE, calls its one_work, unloads it; then TWO and its two_work, in turns
 *     become SECONDS PROGRAM      first_work; then PROGRAM in its place, which is given "second SECONDS"
 *     second SECONDS              second_work alone
 *     forks CHILDREN [MS]         so many children, each of which runs child_work for 2 ms, or so long
 *     many THREADS [MS]           so many threads at once, each of which runs thread_work for 2 ms, or so long, and sleeps
 *     stack SECONDS               first_work on the stack of a handler of its own, interrupted in second_work
 *     coroutines SECONDS          first_work on a stack on the heap (swapcontext)
 *     vdso SECONDS                asks for the time, all the time
 *     system SECONDS              first_work for half of it, then reads from /dev/zero, in seconds of a processor
 *
 * The last line is what each computed, by the thread's own clock: "first 300 second 100", in ms.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static volatile uint64_t sum;
static volatile int behind; /* counted behind a call, which is then not a function's last thing */

static double clock_ms(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

KEPT static double compute(double ms)
{
    double begin = clock_ms(CLOCK_THREAD_CPUTIME_ID), now = begin;
    while (now < begin + ms) {
        for (int i = 0; i < 20000; i++)
            sum += (uint64_t)i;
        now = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    }
    return now - begin;
}

static double begin_ms, until_ms, first_ms, second_ms, each_ms = 2;

/* On a machine that is busy with others, longer: until it has had a processor for a third of that. */
static int goes_on(void)
{
    double now = clock_ms(CLOCK_MONOTONIC), more = 10 * (until_ms - begin_ms);
    double least = (until_ms - begin_ms) / 3;
    return now < until_ms || (now < begin_ms + more && clock_ms(CLOCK_PROCESS_CPUTIME_ID) < least);
}

KEPT static void first_work(double ms)
{
    first_ms += compute(ms);
    behind++;
}

KEPT static void second_work(double ms)
{
    second_ms += compute(ms);
    behind++;
}

KEPT static void turns(void)
{
    while (goes_on()) {
        first_work(3);
        second_work(1);
    }
}

static double work_of(const char *file, const char *name)
{
    void *library = dlopen(file, RTLD_NOW);
    double (*work)(double) = library ? (double (*)(double))dlsym(library, name) : NULL;
    static void *places[2];
    if (!work) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    double ms = work(20);
    places[*name == 't'] = (void *)work;
    if (places[0] && places[1] && places[0] != places[1])
        behind = -1000000; /* told at the end: the two did not take turns at one place */
    dlclose(library);
    return ms;
}

KEPT static void plugins(char **words)
{
    while (goes_on()) {
        first_ms += work_of(words[0], "one_work");
        second_ms += work_of(words[1], "two_work");
    }
    if (behind < 0)
        puts("apart");
}

KEPT static void child_work(void)
{
    first_ms += compute(each_ms);
    behind++;
}

KEPT static void forks(int children)
{
    for (int i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            child_work();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    first_ms = each_ms * children;
}

KEPT static void thread_work(void)
{
    compute(each_ms);
    behind++;
}

static pthread_barrier_t all_there;

static void *thread(void *context)
{
    pthread_barrier_wait(&all_there);
    thread_work();
    usleep(200000);
    return context;
}

KEPT static void many(unsigned threads)
{
    pthread_t *made = calloc(threads, sizeof *made);
    pthread_barrier_init(&all_there, NULL, threads);
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&made[i], NULL, thread, NULL) != 0)
            exit(2);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(made[i], NULL);
    first_ms = each_ms * threads;
}

static void on_signal(int number)
{
    (void)number;
    first_work(3);
}

KEPT static void stack(void)
{
    stack_t own = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&own, NULL);
    sigaction(SIGUSR1, &action, NULL);
    while (goes_on()) {
        second_work(1);
        raise(SIGUSR1);
    }
}

static ucontext_t outside, inside;

static void coroutine(void)
{
    for (;;) {
        first_work(3);
        swapcontext(&inside, &outside);
    }
}

KEPT static void coroutines(void)
{
    getcontext(&inside);
    inside.uc_stack.ss_sp = malloc(1 << 16);
    inside.uc_stack.ss_size = 1 << 16;
    makecontext(&inside, coroutine, 0);
    while (goes_on()) {
        second_work(1);
        swapcontext(&outside, &inside);
    }
}

KEPT static void vdso(void)
{
    struct timespec now;
    double begin = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    while (goes_on())
        for (int i = 0; i < 100000; i++)
            clock_gettime(CLOCK_MONOTONIC, &now);
    first_ms = clock_ms(CLOCK_THREAD_CPUTIME_ID) - begin;
}

KEPT static void ask_kernel(double ms)
{
    static char page[1 << 20];
    FILE *zero = fopen("/dev/zero", "r");
    double begin = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    while (clock_ms(CLOCK_THREAD_CPUTIME_ID) < begin + ms &&
           read(fileno(zero), page, sizeof page) > 0)
        behind++;
    second_ms = clock_ms(CLOCK_THREAD_CPUTIME_ID) - begin;
}

int main(int argc, char **argv)
{
    const char *scene = argc > 2 ? argv[1] : "";
    double seconds = argc > 2 ? atof(argv[2]) : 0;
    begin_ms = clock_ms(CLOCK_MONOTONIC);
    until_ms = begin_ms + 1e3 * seconds;
    if (argc > 3 && atof(argv[3]) > 0)
        each_ms = atof(argv[3]);
    if (strcmp(scene, "plain") == 0)
        turns();
    else if (strcmp(scene, "plugins") == 0 && argc > 4)
        plugins(argv + 3);
    else if (strcmp(scene, "become") == 0 && argc > 3) {
        first_work(1e3 * seconds);
        execl(argv[3], argv[3], "second", argv[2], NULL);
        return 2;
    } else if (strcmp(scene, "second") == 0)
        second_work(1e3 * seconds);
    else if (strcmp(scene, "forks") == 0)
        forks((int)seconds);
    else if (strcmp(scene, "many") == 0)
        many((unsigned)seconds);
    else if (strcmp(scene, "stack") == 0)
        stack();
    else if (strcmp(scene, "coroutines") == 0)
        coroutines();
    else if (strcmp(scene, "vdso") == 0)
        vdso();
    else if (strcmp(scene, "system") == 0) {
        first_work(500 * seconds);
        ask_kernel(500 * seconds);
    } else
        return 2;
    printf("first %.0f second %.0f\n", first_ms, second_ms);
    return 0;
}
