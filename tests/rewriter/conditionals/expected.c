#include <stdio.h>
#include <stdlib.h>

#ifdef WIDE
static long widen(long n) {
#else
static int widen(int n) {VPROF_FUNCTION(1)
#endif
    return __extension__({VPROF_FUNCTION(4) abs((int)n);});
}

static int split(int n)
{VPROF_FUNCTION(2)
#if defined(WIDE)
    if (abs(n) > 2) {
#else
    if (n > 2) {
#endif
        __extension__({VPROF_FUNCTION(5) puts("large");});
    }
    return printf("%d %d\n",
#ifdef WIDE
                  1,
#else
                  __extension__({VPROF_FUNCTION(7) abs(2);}),
#endif
                  n);
}

int main(void)
{VPROF_FUNCTION(3)
    return split((int)widen(-3)) < 0;
}
