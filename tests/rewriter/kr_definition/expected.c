#include <stdio.h>

static int add(a, b)
int a;
int b;
{VPROF_FUNCTION(1) return a + b; }

static int old() {VPROF_FUNCTION(2) return __extension__({VPROF_FUNCTION(4) puts("old");}); }

int main()
{VPROF_FUNCTION(3)
    __extension__({VPROF_FUNCTION(5) printf("%d\n", VPROF_RESTART(5, add(1, 2)));});
    return old() < 0;
}
