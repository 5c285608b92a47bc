/* open_file and build_header are slow in the same requests, those of a large file; both take their time by a clock. */
#include "own.h"
#include <vprof_api.h>

static __attribute__((noinline)) void spin_until(long end)
{
    while (NOW() < end)
        ;
}

static __attribute__((noinline)) void open_file(unsigned large) { spin_until(NOW() + (large ? 1500000 : 60000)); }
static __attribute__((noinline)) void build_header(unsigned large) { spin_until(NOW() + (large ? 1450000 : 50000)); }
static __attribute__((noinline)) void log_it(unsigned r) { NAP(50 + r % 300); }

static void handle(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    long a, b, c;
    row->begin = NOW();
    SI_BEGIN(id);
    a = NOW();
    open_file(r % 20 == 3);
    b = NOW();
    build_header(r % 20 == 3);
    c = NOW();
    log_it(r);
    SI_END(id);
    row->end = NOW();
    row->part[0] = b - a;
    row->part[1] = c - b;
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 31;
    own_open();
    for (long i = 1; i <= 900; i++)
        handle(i, RNG(seed));
    own_close("open_file build_header", 0);
    return 0;
}
