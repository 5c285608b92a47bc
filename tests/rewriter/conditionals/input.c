#include <stdio.h>
#include <stdlib.h>

#ifdef WIDE
static long widen(long n) {
#else
static int widen(int n) {
#endif
    return abs((int)n);
}

static int split(int n)
{
#if defined(WIDE)
    if (abs(n) > 2) {
#else
    if (n > 2) {
#endif
        puts("large");
    }
    return printf("%d %d\n",
#ifdef WIDE
                  1,
#else
                  abs(2),
#endif
                  n);
}

int main(void)
{
    return split((int)widen(-3)) < 0;
}
