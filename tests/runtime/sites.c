/* sites.c - threads and forked children count how often they call what is timed, for as many
 * milliseconds as they are told; each call must compute what the first one did. What is switched on
 * and off meanwhile is check.py's. Prints the number of turns of all processes. */
#include "target.h"

#include <sys/mman.h>
#include <sys/wait.h>

enum { THREADS = 3, CHILDREN = 2, IN_A_ROW = 4 };
static volatile int stop;
static unsigned long *turns;

static double sum(double x, int n)
{
    VPROF_FUNCTION(1)
    for (int i = 0; i < n; i++)
        x = x * 1.0000001 + 0.5;
    return x;
}

static inline int thrice(int n)
{
    VPROF_FUNCTION(2)
    return 3 * n;
}

static int deep(int n)
{
    VPROF_FUNCTION(3)
    return n ? deep(n - 1) + thrice(n) : 0;
}

static int (*volatile through)(int) = deep;

/* As a compiler does that makes the frame where it is needed: it is there at the one site only. */
static void framed(void)
{
#ifdef VPROF_SITE_1
    __asm__ volatile("sub $256, %rsp");
    VPROF_SITE_1(7u, ENTER);
    __asm__ volatile("add $256, %rsp");
    VPROF_SITE_1(7u, LEAVE);
    VPROF_SITE_1(8u, ENTER);
    __asm__ volatile("sub $256, %rsp");
    VPROF_SITE_1(8u, LEAVE);
    __asm__ volatile("add $256, %rsp");
#else
    VPROF_FUNCTION(7)
    VPROF_FUNCTION(8)
#endif
}

/* What a site might spoil is in use: all registers for arguments and results, and what lies below
 * the stack's end in a function without calls. */
struct results {
    long a, b;
};

static __attribute__((noinline)) struct results full(long a, long b, long c, long d, long e, long f)
{
    volatile long kept[6] = {f, e, d, c, b, a};
    VPROF_FUNCTION(9)
    for (int i = 0; i < 6; i++)
        kept[i] += kept[(i + 1) % 6] * a;
    return (struct results){kept[0] + kept[1] * b + kept[2] * c,
                            kept[3] + kept[4] * d + kept[5] * e};
}

static double turn(double a, double b, double c)
{
    framed();
    static volatile long one = 1;
    struct results results = full(one, one + 1, one + 2, one + 3, one + 4, one + 5);
    CHECK(results.a == 11 + 9 * 2 + 7 * 3 && results.b == 5 + 3 * 4 + 12 * 5);
    VPROF_FUNCTION(4)
    double r = sum(a, 20) * b + c;
    r += __extension__({
        VPROF_FUNCTION(5)
        VPROF_TARGET(5, through)(VPROF_RESTART(5, thrice(1)));
    });
    r += (double)__extension__({
        VPROF_FUNCTION(6)
        strlen("abc");
    });
    return r;
}

static void *work(void *arg)
{
    unsigned long id = (unsigned long)arg;
    unsigned long n = 1;
    double wanted = turn(1, 2, 3);
    for (; !stop; n++) {
        SI_BEGIN(id);
        CHECK(turn(1, 2, 3) == wanted);
        SI_END(id);
        if (n % IN_A_ROW == 0)
            sleep_us(100);
    }
    __atomic_add_fetch(turns, n, __ATOMIC_RELAXED);
    return NULL;
}

static void work_for(long ms)
{
    pthread_t threads[THREADS];
    for (unsigned long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    sleep_us(ms * 1000);
    stop = 1;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    turns = mmap(NULL, sizeof *turns, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(turns != MAP_FAILED);
    long ms = atol(argv[1]);
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            work_for(ms);
            exit(0);
        }
    for (int i = 0, status; i < CHILDREN; i++)
        CHECK(wait(&status) > 0 && status == 0);
    work_for(ms);
    printf("%lu\n", *turns);
    return 0;
}
