/* A program of which is known in which calls it always is: unwind_scenes SCENE [ARGUMENT].
 *
 *     plain      main outer middle spin
 *     deep N     main recurse ... recurse spin
 *     signal     main outer middle raise ... the kernel's frame, on_signal spin
 *     alternate  the same, and the handler has a stack of its own
 *     sort       main sort_all, libc's qsort, compare spin
 *     clock      main ask, the vdso
 *     code       main run_code, code that is made as it runs, spin
 *     load FILE  main load_all, a function of a library that comes and goes, spin
 *     threads    start_thread work outer middle spin
 *     become     plain, after exec; so that its maps are others
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static volatile unsigned long sum;
static volatile int turns; /* counted behind a call, which is then not a function's last thing */

KEPT static void spin(void)
{
    for (unsigned long i = 0; i < 20000; i++)
        sum += i;
}

KEPT static void middle(void (*what)(void))
{
    what();
    turns++;
}

KEPT static void outer(void (*what)(void))
{
    middle(what);
    turns++;
}

/* A frame of a size that is known only as it runs: it is found by the frame pointer. */
KEPT static void recurse(int depth, int room)
{
    volatile char local[room];
    local[0] = 1;
    if (depth > 1)
        recurse(depth - 1, room);
    else
        spin();
    turns += local[0];
}

/* Long beside what a signal takes to be given to a program that is looked at. */
static void on_signal(int number)
{
    for (int i = 0; i < 20 * number; i++)
        spin();
    turns++;
}

static void hit(void)
{
    raise(SIGUSR1);
    turns++;
}

static void catch_signal(int flags)
{
    static char memory[1 << 16];
    const stack_t other = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

static int compare(const void *a, const void *b)
{
    for (int i = 0; i < 500; i++)
        sum += (unsigned)i;
    return *(const int *)a - *(const int *)b;
}

KEPT static void sort_all(void)
{
    int numbers[1000];
    for (int i = 0; i < 1000; i++)
        numbers[i] = i * 7919 % 1000;
    qsort(numbers, 1000, sizeof *numbers, compare);
    turns += numbers[0];
}

KEPT static void ask(void)
{
    struct timespec now;
    for (int i = 0; i < 1000; i++)
        clock_gettime(CLOCK_MONOTONIC, &now);
    turns += now.tv_nsec > 0;
}

static void (*made)(void (*)(void));

/* push rbp; mov rbp, rsp; call rdi; pop rbp; ret. */
static void make_code(void)
{
#if defined(__x86_64__)
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
    void *at =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(at, code, sizeof code);
    made = (void (*)(void (*)(void)))(uintptr_t)at;
#else
    made = middle;
#endif
}

KEPT static void run_code(void)
{
    made(spin);
    turns++;
}

static const char *library;

KEPT static void load_all(void)
{
    void *handle = dlopen(library, RTLD_NOW);
    if (!handle)
        exit(3);
    void (*call)(void (*)(void)) = (void (*)(void (*)(void)))(uintptr_t)dlsym(handle, "call_back");
    for (int i = 0; i < 20; i++)
        call(spin);
    dlclose(handle);
}

static void *work(void *unused)
{
    for (;;)
        outer(spin);
    return unused;
}

static void start_threads(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, NULL, work, NULL);
}

static void run(const char *scene, int depth)
{
    if (strcmp(scene, "deep") == 0)
        recurse(depth, 80);
    else if (strcmp(scene, "signal") == 0 || strcmp(scene, "alternate") == 0)
        outer(hit);
    else if (strcmp(scene, "sort") == 0)
        sort_all();
    else if (strcmp(scene, "clock") == 0)
        ask();
    else if (strcmp(scene, "code") == 0)
        run_code();
    else if (strcmp(scene, "load") == 0)
        load_all();
    else if (strcmp(scene, "threads") == 0)
        pause();
    else
        outer(spin);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "plain";
    int depth = argc > 2 ? atoi(argv[2]) : 1;
    library = argc > 2 ? argv[2] : "";
    if (strcmp(scene, "become") == 0) {
        for (int i = 0; i < 300; i++)
            outer(spin);
        execl(argv[0], argv[0], "plain", (char *)NULL);
    }
    catch_signal(strcmp(scene, "alternate") == 0 ? SA_ONSTACK : 0);
    make_code();
    if (strcmp(scene, "threads") == 0)
        start_threads();
    for (;;)
        run(scene, depth);
}
