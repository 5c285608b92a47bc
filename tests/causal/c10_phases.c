/* c10_phases.c - for 100 rounds of 2 ms f does the work, for 100 g: each faster gains 0.5 s. */
#include "work.h"

static double left_f, left_g;

static __attribute__((noinline)) void f(void)
{
    work_ms(2 * left_f);
}

static __attribute__((noinline)) void g(void)
{
    work_ms(2 * left_g);
}

int main(int argc, char **argv)
{
    work_start(argc, argv);
    left_f = left("f");
    left_g = left("g");
    for (int i = 0; work_goes_on(); i++) {
        if (i / 100 % 2)
            g();
        else
            f();
        VPROF_PROGRESS("round");
    }
    return 0;
}
