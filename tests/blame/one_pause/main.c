/* 18,000 requests, of which one in fifty looks up a cold entry; and once the program stands still for 119 ms. */
#include "own.h"
#include <vprof_api.h>

enum { REQUESTS = 18000, PAUSE_AT = 7211 };

static void spin(long us)
{
    for (long end = NOW() + us * 1000; NOW() < end;)
        ;
}

static __attribute__((noinline)) void collect_garbage(void) { NAP(119000); }

static __attribute__((noinline)) void look_up(unsigned r)
{
    if (r % 50 == 0)
        spin(200 + r / 50 % 200);
}

static __attribute__((noinline)) void parse(unsigned r) { spin(10 + r % 5); }

static void handle(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    parse(r);
    look_up(r);
    if (id == PAUSE_AT) {
        long a = NOW();
        collect_garbage();
        row->part[0] = NOW() - a;
    }
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 11;
    own_open();
    for (long i = 1; i <= REQUESTS; i++)
        handle(i, RNG(seed));
    own_close("pause", 0);
    return 0;
}
