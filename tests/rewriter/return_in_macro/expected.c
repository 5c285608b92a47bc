#include <stdio.h>
#include <stdlib.h>

#define NEED(x)            \
    do {                   \
        if (!(x))          \
            return -1;     \
    } while (0)
#define RETURN(x) return (x)

static int checked(int n)
{VPROF_FUNCTION(1)
    NEED(n > 0);
    NEED(__extension__({VPROF_FUNCTION(3) abs(n);}) < 10);
    RETURN(__extension__({VPROF_FUNCTION(4) abs(n);}));
}

int main(void)
{VPROF_FUNCTION(2)
    __extension__({VPROF_FUNCTION(5) printf("%d %d %d\n", VPROF_RESTART(5, checked(0)), VPROF_RESTART(5, checked(5)), VPROF_RESTART(5, checked(50)));});
    RETURN(0);
}
