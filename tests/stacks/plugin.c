/* A library that computes: NAME(ms), given as -DNAME=one_work. All of them are laid out alike. */
#include <stdint.h>
#include <time.h>

static volatile uint64_t sum;

static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double NAME(double ms);
double NAME(double ms)
{
    double begin = clock_ms(), now = begin;
    while (now < begin + ms) {
        for (int i = 0; i < 20000; i++)
            sum += (uint64_t)i;
        now = clock_ms();
    }
    return now - begin;
}
