#include <stdio.h>

int run(const char *code)
{
    static const void *const labels[] = {&&stop, &&more, &&less};
    int n = 0;
next:
    goto *labels[*code++ - '0'];
more:
    n += putchar('+') > 0;
    goto next;
less:
    n -= putchar('-') > 0;
    goto next;
stop:
    return n;
}

int main(void)
{
    return printf(" %d\n", run("11120")) < 0;
}
