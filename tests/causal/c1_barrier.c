/* c1_barrier.c - two threads, a 10 ms and b 9 ms, meet at a barrier: a faster gains 10 % at the most, b nothing. */
#include "work.h"

static pthread_barrier_t barrier;
static double left_a, left_b;

static __attribute__((noinline)) void a(void)
{
    work_ms(10 * left_a);
}

static __attribute__((noinline)) void b(void)
{
    work_ms(9 * left_b);
}

static void *first(void *unused)
{
    while (1) {
        a();
        pthread_barrier_wait(&barrier);
        VPROF_PROGRESS("round");
        if (!work_goes_on())
            exit(0);
    }
    return unused;
}

static void *second(void *unused)
{
    while (1) {
        b();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    work_start(argc, argv);
    left_a = left("a");
    left_b = left("b");
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
