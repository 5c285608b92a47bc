/* Two plugins with one entry: DEEP's takes 3..7 ms, one time in five. */
#include <time.h>

static void rest(long us)
{
    struct timespec t = {0, us * 1000};
    nanosleep(&t, 0);
}

#ifdef DEEP
static void scan_deep(unsigned r) { rest(r % 5 == 0 ? 3000 + r / 5 % 4000 : 150); }
int rules_apply(unsigned r)
{
    scan_deep(r);
    return 1;
}
#else
static void scan_flat(unsigned r) { rest(60 + r % 20); }
int rules_apply(unsigned r)
{
    scan_flat(r);
    return 0;
}
#endif
