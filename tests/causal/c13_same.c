/* c13_same.c - 5,000 requests a second and more of one thread, exponential, whose mean drifts by a tenth: what is never delayed
 * is told from itself in 3 to 7 % (same.c). */
#include <math.h>

#include "work.h"

static double uniform(unsigned *state)
{
    return (rand_r(state) + 0.5) / (RAND_MAX + 1.0);
}

static __attribute__((noinline)) void f(double ms)
{
    work_ms(ms);
}

int main(int argc, char **argv)
{
    unsigned state = (unsigned)work_option("seed", 1);
    double drift = 0;
    work_start(argc, argv);
    while (work_goes_on()) {
        drift = 0.999 * drift + 0.005 * (uniform(&state) - 0.5);
        SI_BEGIN(1);
        f(-0.15 * log(uniform(&state)) * (1 + drift));
        SI_END(1);
    }
    return 0;
}
