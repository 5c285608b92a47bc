#include <stdio.h>
#include <stdlib.h>

static int task;

static int *pop(void)
{
    return &task;
}
#define POP pop()
static int *(*const popper)(void) = pop;

#define SIZE(n) abs(n)

struct pair {
    int a, b;
};
static int packed(struct pair pair, int n)
{
    return pair.a + n;
}

int main(void)
{
    int (*call)(struct pair, int) = packed;
    printf("%d\n", *VPROF_DEQUEUED(5, pop()) + *VPROF_DEQUEUED(6, POP) + *popper() + SIZE(-3) + abs(VPROF_RELEASED(9, -4)));
    struct pair pair = {0, 1};
    return call(pair, 0) + packed(pair, 0);
}
