#include <stdio.h>
#include <stdlib.h>

__attribute__((naked, used)) static int bare(void)
{
    __asm__("mov $1, %eax\n\tret");
}

__attribute__((no_sanitize("address"))) static int unchecked(int n)
{
    return abs(n);
}

static int labels(int n)
{
    __label__ out;
    if (n)
        goto out;
    n = abs(n);
out:
    return n;
}

__attribute__((noinline, cold)) static int slow(int n)
{
    return abs(n);
}

static int called(int (*ifunc)(int))
{
    return ifunc(-5);
}

int main(void)
{
    return printf("%d %d %d %d\n", unchecked(-1), labels(-2), slow(bare() ? -3 : -4),
                  called(abs)) < 0;
}
