#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{VPROF_FUNCTION(1)
    va_list list, copy;
    int total = 0;
    va_start(list, count);
    va_copy(copy, list);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    __extension__({VPROF_FUNCTION(3) vprintf("%d %d %d\n", copy);});
    va_end(copy);
    return total;
}

int main(void)
{VPROF_FUNCTION(2)
    __extension__({VPROF_FUNCTION(4) printf("%d\n", VPROF_RESTART(4, sum(3, 1, 2, 3)));});
    return 0;
}
