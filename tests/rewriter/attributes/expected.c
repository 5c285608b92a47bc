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
{VPROF_FUNCTION(4)
    return __extension__({VPROF_FUNCTION(9) abs(n);});
}

static int called(int (*ifunc)(int))
{VPROF_FUNCTION(5)
    return __extension__({VPROF_FUNCTION(10) VPROF_TARGET(10, ifunc)(-5);});
}

int main(void)
{VPROF_FUNCTION(6)
    return __extension__({VPROF_FUNCTION(11) printf("%d %d %d %d\n", VPROF_RESTART(11, unchecked(-1)), VPROF_RESTART(11, labels(-2)), VPROF_RESTART(11, slow(bare() ? -3 : -4)),
                  VPROF_RESTART(11, called(abs)));}) < 0;
}
