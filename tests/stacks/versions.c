/* Versions of one program, to be compared, and work that grows with its size.
 *
 *     versions serve REQUESTS                  handle_request, so often; -DDELAY: 5 ms late in deflate_filter
 *     versions grow SIZE                       linear, sorted and square work of n, n log n and n^2
 *
 * -DSPLIT: process is two functions, and helper is inlined. Each function runs for a time of its thread's own
 * clock, so that what else runs on the machine changes nothing.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static volatile uint64_t sum;

static uint64_t ran_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

KEPT static void compute(double us)
{
    uint64_t end = ran_ns() + (uint64_t)(us * 1000);
    while (ran_ns() < end)
        for (int i = 0; i < 2000; i++)
            sum += (uint64_t)i;
}

KEPT static void emit(void)
{
    compute(200);
    sum++;
}

#ifdef SPLIT
KEPT static void process_rest(void)
{
    compute(600);
    sum++;
}

KEPT static void process(void)
{
    compute(600);
    process_rest();
    sum++;
}

static inline __attribute__((always_inline)) void helper(void)
#else
KEPT static void process(void)
{
    compute(1200);
    sum++;
}

KEPT static void helper(void)
#endif
{
    compute(300);
    emit();
    sum++;
}

KEPT static void deflate_filter(void)
{
    compute(800);
#ifdef DELAY
    usleep(5000);
#endif
    sum++;
}

KEPT static void handle_request(void)
{
    process();
    helper();
    deflate_filter();
    usleep(500);
    sum++;
}

KEPT static void linear(double n)
{
    compute(100 * n);
    sum++;
}

KEPT static void sorted(double n)
{
    compute(10 * n * log2(n));
    sum++;
}

KEPT static void square(double n)
{
    compute(0.03 * n * n);
    sum++;
}

int main(int count, char **words)
{
    double n = count > 2 ? atof(words[2]) : 0;
    if (n > 0 && strcmp(words[1], "grow") == 0) {
        linear(n);
        sorted(n);
        square(n);
    } else {
        for (int i = 0; i < (int)n; i++)
            handle_request();
    }
    return n > 0 ? 0 : 2;
}
