#include <stdio.h>

static int add(a, b)
int a;
int b;
{ return a + b; }

static int old() { return puts("old"); }

int main()
{
    printf("%d\n", add(1, 2));
    return old() < 0;
}
