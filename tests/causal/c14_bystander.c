/* c14_bystander.c - beside rounds of 10 ms another thread is busy with f, for nobody: f faster gains nothing. */
#include "work.h"

static double left_f;

static __attribute__((noinline)) void f(void)
{
    work_ms(3 * left_f);
}

static void *beside(void *unused)
{
    while (1)
        f();
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_f = left("f");
    pthread_create(&thread, NULL, beside, NULL);
    while (work_goes_on()) {
        SI_BEGIN(1);
        work_ms(10);
        SI_END(1);
    }
    return 0;
}
