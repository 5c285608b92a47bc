/* c12_sleep.c - f sleeps for 5 ms and works for 5: its work faster gains 0.5 s, its sleep too. */
#include "work.h"

static double left_f;

static __attribute__((noinline)) void f(void)
{
    struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
    work_ms(5 * left_f);
}

int main(int argc, char **argv)
{
    work_start(argc, argv);
    left_f = left("f");
    while (work_goes_on()) {
        f();
        VPROF_PROGRESS("round");
    }
    return 0;
}
