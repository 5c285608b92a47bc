#include <stdio.h>
#include <stdlib.h>

struct operations {
    int (*run)(int);
    void (*done)(void);
    struct {
        int (*deep)(const char *, ...);
    } inner;
};

static int square(int n)
{VPROF_FUNCTION(1)
    return n * n;
}

static void nothing(void)
{VPROF_FUNCTION(2)
}

static int call(const struct operations *operations, int (*direct)(int), int n)
{VPROF_FUNCTION(3)
    int (*table[2])(int) = {square, abs};
    int sum = __extension__({VPROF_FUNCTION(5) VPROF_TARGET(5, operations->run)(n);}) + __extension__({VPROF_FUNCTION(6) VPROF_TARGET(6, (*operations->run))(n);});
    sum += __extension__({VPROF_FUNCTION(7) VPROF_TARGET(7, direct)(VPROF_RESTART(7, __extension__({VPROF_FUNCTION(8) abs(n);})));}) + __extension__({VPROF_FUNCTION(9) VPROF_TARGET(9, (*direct))(n);}) + __extension__({VPROF_FUNCTION(10) VPROF_TARGET(10, table[n & 1])(n);});
    sum += __extension__({VPROF_FUNCTION(11) VPROF_TARGET(11, (n ? square : abs))(n);}) + (square)(n) + __extension__({VPROF_FUNCTION(13) (*abs)(n);});
    __extension__({VPROF_FUNCTION(14) VPROF_TARGET(14, (operations->done))();});
    return sum + __extension__({VPROF_FUNCTION(15) VPROF_TARGET(15, operations->inner.deep)("%d\n", sum);});
}

int main(void)
{VPROF_FUNCTION(4)
    struct operations operations = {square, nothing, {printf}};
    return call(&operations, abs, -3) < 0;
}
