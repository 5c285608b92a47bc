/* Chunks are taken by whichever thread is free, in a critical part they add up; one chunk in forty takes 3..7 ms. */
#include <omp.h>

#include "own.h"
#include <vprof_api.h>

static long slow;
static unsigned total;

static void recompute(unsigned r)
{
    long a = NOW();
    NAP(3000 + r % 4000);
    slow = NOW() - a;
}

static void update(unsigned r)
{
    if (r % 40 == 0)
        recompute(r / 40);
    else
        NAP(60 + r % 20);
}

static void add(unsigned r) { total += r; }

static void solve(unsigned r)
{
#pragma omp parallel for num_threads(3) schedule(dynamic, 1)
    for (int i = 0; i < 6; i++) {
        update(r + (unsigned)i * 7919);
#pragma omp critical
        add(r);
    }
}

int main(void)
{
    unsigned long seed = 33;
    own_open();
    for (int i = 0; i < 600; i++) {
        struct own_row *row = OWN_ROW();
        unsigned r = RNG(seed);
        slow = 0;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        solve(r);
        SI_END(i + 1);
        row->end = NOW();
        row->part[0] = slow;
        row->used = 1;
    }
    own_close("recompute", NULL);
    return 0;
}
