#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x : 4;
    int y;
    int many[2];
};

static struct point *same(struct point *point)
{VPROF_FUNCTION(1)
    return point;
}

static struct point made(int n)
{VPROF_FUNCTION(2)
    struct point point = {n & 7, n, {n, n + 1}};
    return point;
}

static int sum(struct point point)
{VPROF_FUNCTION(3)
    return point.x + point.y + point.many[1];
}

int main(void)
{VPROF_FUNCTION(4)
    struct point (*make)(int) = made;
    struct point *(*keep)(struct point *) = same;
    struct point *kept = keep(&(struct point){1, 2, {3, 4}});
    int lengths[] = {(int)strlen("abc"), __extension__({VPROF_FUNCTION(7) abs(-2);}), [3] = __extension__({VPROF_FUNCTION(8) abs(-4);})};
    __extension__({VPROF_FUNCTION(9) printf("%d %d %d\n", kept->y, VPROF_RESTART(9, __extension__({VPROF_FUNCTION(10) abs(made(3).x);})), VPROF_RESTART(9, __extension__({VPROF_FUNCTION(12) abs(VPROF_RESTART(12, made(4).many[1]));})));});
    __extension__({VPROF_FUNCTION(14) printf("%d %d\n", VPROF_RESTART(14, sum(__extension__({VPROF_FUNCTION(16) VPROF_TARGET(16, make)(VPROF_RESTART(16, __extension__({VPROF_FUNCTION(17) abs(-2);})));}))), VPROF_RESTART(14, __extension__({VPROF_FUNCTION(18) abs(VPROF_RESTART(18, __extension__({VPROF_FUNCTION(19) VPROF_TARGET(19, (make))(5);}).many[0]));})));});
    return __extension__({VPROF_FUNCTION(20) printf("%d %d\n", lengths[1], lengths[3]);}) < 0;
}
