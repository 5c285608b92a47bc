#include <stdio.h>
#include <stdlib.h>

static int twice(int n)
{VPROF_FUNCTION(1)
    if (n > 3)
        __extension__({VPROF_FUNCTION(3) putchar('a');});
    else if (n > 2)
        __extension__({VPROF_FUNCTION(4) putchar('b');});
    else
        __extension__({VPROF_FUNCTION(5) putchar('c');});
    for (int i = 0; i < n; i++)
        __extension__({VPROF_FUNCTION(6) putchar('0' + i);});
    while (n-- > 2)
        __extension__({VPROF_FUNCTION(7) putchar('w');});
    do
        __extension__({VPROF_FUNCTION(8) putchar('d');});
    while (n-- > 0);
    return __extension__({VPROF_FUNCTION(9) abs(n);}) * 2;
}

int main(void)
{VPROF_FUNCTION(2)
    for (int i = 0; i < 5; i++)
        twice(i);
    return __extension__({VPROF_FUNCTION(11) puts("");}) < 0;
}
