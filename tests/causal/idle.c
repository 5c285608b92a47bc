/* idle.c - work() is called all the time, idle() never; with "--still 1" no interval ends. */
#include "work.h"

static __attribute__((noinline)) void work(void)
{
    work_ms(1);
}

static __attribute__((noinline)) void idle(void)
{
    work_ms(2);
}

int main(int argc, char **argv)
{
    work_start(argc, argv);
    int still = work_option("still", 0) > 0, other = work_option("other", 0) > 0;
    while (work_goes_on()) {
        SI_BEGIN(1);
        if (other)
            idle();
        else
            work();
        if (!still)
            SI_END(1);
    }
    return 0;
}
