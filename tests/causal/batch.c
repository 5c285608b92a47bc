/* batch.c - a program that does its work and ends: 100 times f of 0.4 ms and 0.6 ms more. A run takes 0.4 s less of itself if f
 * is faster. */
#include "work.h"

static double left_f;

static __attribute__((noinline)) void f(void)
{
    work_ms(0.4 * left_f);
}

static __attribute__((noinline)) void rest(void)
{
    work_ms(0.6);
}

int main(int argc, char **argv)
{
    enum { TURNS = 100 };
    work_start(argc, argv);
    left_f = left("f");
    for (int i = 0; i < TURNS; i++) {
        f();
        rest();
    }
    return 0;
}
