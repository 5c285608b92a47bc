/* c3_amdahl.c - f 4 ms alone, then g 6 ms on both threads: f faster gains 0.4 s, g 0.6 s. */
#include "work.h"

static pthread_barrier_t barrier;
static double left_f, left_g;

static __attribute__((noinline)) void f(void)
{
    work_ms(4 * left_f);
}

static __attribute__((noinline)) void g(void)
{
    work_ms(6 * left_g);
}

static void *second(void *unused)
{
    while (1) {
        pthread_barrier_wait(&barrier);
        g();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_f = left("f");
    left_g = left("g");
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, second, NULL);
    while (work_goes_on()) {
        f();
        pthread_barrier_wait(&barrier);
        g();
        pthread_barrier_wait(&barrier);
        VPROF_PROGRESS("round");
    }
    return 0;
}
