/* c4_chain.c - f is 3 ms of the 10 ms of one thread: f faster gains 0.3 s. */
#include "work.h"

static double left_f;

static __attribute__((noinline)) void f(void)
{
    work_ms(3 * left_f);
}

static __attribute__((noinline)) void rest(void)
{
    work_ms(7);
}

int main(int argc, char **argv)
{
    work_start(argc, argv);
    left_f = left("f");
    while (work_goes_on()) {
        SI_BEGIN(1);
        f();
        rest();
        SI_END(1);
    }
    return 0;
}
