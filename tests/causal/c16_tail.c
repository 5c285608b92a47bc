/* c16_tail.c - each request is 1 ms of work, and one in a hundred calls f, 20 ms: f faster by half takes the mean from 1.2 ms
 * to 1.1, leaves the median where it is, and the tail follows it. */
#include "work.h"

static double left_f;

static __attribute__((noinline)) void f(void)
{
    for (int i = 0; i < 20; i++) /* a loop: else it is short, and carries no probe */
        work_ms(left_f);
}

int main(int argc, char **argv)
{
    unsigned state = 7;
    work_start(argc, argv);
    left_f = left("f");
    while (work_goes_on()) {
        SI_BEGIN(1);
        work_ms(1);
        if (rand_r(&state) % 100 == 0)
            f();
        SI_END(1);
    }
    return 0;
}
