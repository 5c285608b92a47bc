#include <stdio.h>
#include <stdlib.h>

#define NEED(x)            \
    do {                   \
        if (!(x))          \
            return -1;     \
    } while (0)
#define RETURN(x) return (x)

static int checked(int n)
{
    NEED(n > 0);
    NEED(abs(n) < 10);
    RETURN(abs(n));
}

int main(void)
{
    printf("%d %d %d\n", checked(0), checked(5), checked(50));
    RETURN(0);
}
