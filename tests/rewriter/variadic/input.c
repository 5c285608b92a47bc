#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{
    va_list list, copy;
    int total = 0;
    va_start(list, count);
    va_copy(copy, list);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    vprintf("%d %d %d\n", copy);
    va_end(copy);
    return total;
}

int main(void)
{
    printf("%d\n", sum(3, 1, 2, 3));
    return 0;
}
