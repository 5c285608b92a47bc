#include <stdio.h>

int run(const char *code)
{VPROF_FUNCTION(1)
    static const void *const labels[] = {&&stop, &&more, &&less};
    int n = 0;
next:
    goto *labels[*code++ - '0'];
more:
    n += __extension__({VPROF_FUNCTION(3) putchar('+');}) > 0;
    goto next;
less:
    n -= __extension__({VPROF_FUNCTION(4) putchar('-');}) > 0;
    goto next;
stop:
    return n;
}

int main(void)
{VPROF_FUNCTION(2)
    return __extension__({VPROF_FUNCTION(5) printf(" %d\n", VPROF_RESTART(5, run("11120")));}) < 0;
}
