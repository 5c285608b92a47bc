/* switched.c - calls a function until the file that it is told of is gone; prints how often. What
 * is switched on and off meanwhile is check.py's. */
#include "target.h"

static unsigned long calls;

static void work(void)
{
    VPROF_FUNCTION(7)
    calls++;
    sleep_us(50);
}

static void other(void)
{
    VPROF_FUNCTION(8)
    sleep_us(1);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    while (access(argv[1], F_OK) == 0) {
        work();
        other();
    }
    printf("%lu\n", calls);
    return 0;
}
