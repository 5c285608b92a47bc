#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x : 4;
    int y;
    int many[2];
};

static struct point *same(struct point *point)
{
    return point;
}

static struct point made(int n)
{
    struct point point = {n & 7, n, {n, n + 1}};
    return point;
}

static int sum(struct point point)
{
    return point.x + point.y + point.many[1];
}

int main(void)
{
    struct point (*make)(int) = made;
    struct point *(*keep)(struct point *) = same;
    struct point *kept = keep(&(struct point){1, 2, {3, 4}});
    int lengths[] = {(int)strlen("abc"), abs(-2), [3] = abs(-4)};
    printf("%d %d %d\n", kept->y, abs(made(3).x), abs(made(4).many[1]));
    printf("%d %d\n", sum(make(abs(-2))), abs((make)(5).many[0]));
    return printf("%d %d\n", lengths[1], lengths[3]) < 0;
}
