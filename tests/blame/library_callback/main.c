/* A library that is not in the tree keeps a callback and calls it from its loop. */
#include "loop.h"
#include "own.h"
#include <vprof_api.h>

static long slow;

static void write_snapshot(unsigned r)
{
    long a = NOW();
    NAP(2500 + r % 4000);
    slow = NOW() - a;
}

static void on_data(void *context, unsigned r)
{
    (void)context;
    if (r % 7 == 0)
        write_snapshot(r / 7);
    else
        NAP(100 + r % 40);
}

static void on_idle(void *context, unsigned r)
{
    (void)context;
    NAP(20 + r % 10);
}

static void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    loop_push(r);
    loop_run();
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 9;
    own_open();
    loop_set(on_data, on_idle, NULL);
    for (int i = 0; i < 700; i++)
        serve(i + 1, RNG(seed));
    own_close("write_snapshot", NULL);
    return 0;
}
