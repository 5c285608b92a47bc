/* The C library calls a comparison that it is handed through two functions; one key in six has to be loaded. */
#include "own.h"
#include <vprof_api.h>

static int keys[64];
static unsigned missing;
static long slow;

static void load_key(unsigned r)
{
    long a = NOW();
    NAP(1500 + r % 4000);
    slow = NOW() - a;
}

static int compare_keys(const void *a, const void *b)
{
    if (missing) {
        load_key(missing);
        missing = 0;
    }
    return *(const int *)a - *(const int *)b;
}

static int *find(int key, int (*compare)(const void *, const void *))
{
    return bsearch(&key, keys, 64, sizeof keys[0], compare);
}

static void look_up(unsigned r)
{
    missing = r % 6 == 0 ? r / 6 + 1 : 0;
    if (!find((int)(r % 64), compare_keys))
        exit(7);
    NAP(60 + r % 30);
}

int main(void)
{
    unsigned long seed = 8;
    for (int i = 0; i < 64; i++)
        keys[i] = i;
    own_open();
    for (int i = 0; i < 900; i++) {
        struct own_row *row = OWN_ROW();
        unsigned r = RNG(seed);
        slow = 0;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        look_up(r);
        SI_END(i + 1);
        row->end = NOW();
        row->part[0] = slow;
        row->used = 1;
    }
    own_close("load_key", NULL);
    return 0;
}
