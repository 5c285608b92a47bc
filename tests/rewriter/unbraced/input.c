#include <stdio.h>
#include <stdlib.h>

static int twice(int n)
{
    if (n > 3)
        putchar('a');
    else if (n > 2)
        putchar('b');
    else
        putchar('c');
    for (int i = 0; i < n; i++)
        putchar('0' + i);
    while (n-- > 2)
        putchar('w');
    do
        putchar('d');
    while (n-- > 0);
    return abs(n) * 2;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        twice(i);
    return puts("") < 0;
}
