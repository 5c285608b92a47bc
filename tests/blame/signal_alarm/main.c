/* A timer interrupts requests that compute; every third time its handler writes statistics for 2..5 ms. */
#include <signal.h>
#include <sys/time.h>

#include "own.h"
#include <vprof_api.h>

static volatile long slow;
static volatile unsigned ticks;
static volatile unsigned long sink;

static void write_statistics(unsigned n)
{
    long a = NOW();
    NAP(2000 + n * 977 % 3000);
    slow += NOW() - a;
}

static void on_tick(int number)
{
    (void)number;
    if (++ticks % 3 == 0)
        write_statistics(ticks);
}

static void compute(unsigned r)
{
    long until = NOW() + 400000 + r % 100000;
    while (NOW() < until)
        sink++;
}

static void prepare(unsigned r) { sink += r; }

static void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    prepare(r);
    compute(r);
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 12;
    struct itimerval every = {{0, 4000}, {0, 4000}};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_tick;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    own_open();
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 1500; i++)
        serve(i + 1, RNG(seed));
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_REAL, &every, NULL);
    own_close("write_statistics", NULL);
    return 0;
}
