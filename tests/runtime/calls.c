/* calls.c N: nested, recursive, indirect and long calls; marks of every kind; N leaf calls. */
#include "target.h"

static int leaf(int a)
{
    VPROF_FUNCTION(1)
    return a + 1;
}

static int recurse(int depth)
{
    VPROF_FUNCTION(2)
    return depth == 0 ? leaf(0) : recurse(depth - 1) + leaf(depth);
}

static int (*pointer)(int) = leaf;

static int indirect(int a)
{
    VPROF_FUNCTION(3)
    return __extension__({
        VPROF_FUNCTION(4) VPROF_TARGET(4, pointer)(VPROF_RESTART(4, leaf(a)));
    });
}

static int large_probe(void)
{
    /* As a probe of a program with more than a table of this one's size. */
    struct vprof_frame_1 frame = {0, 0, 0x1234567, 0};
    if (VPROF_ON_1(enter))
        VPROF_HOOK_1(enter)(&frame);
    vprof_leave_1(&frame);
    return 1;
}

static void marks(void)
{
    SI_BEGIN(7);
    SI_BEGIN_AS(8, "a type whose name is longer than what the trace keeps of it");
    SI_ENTER(7);
    SI_TYPE(7, "short");
    SI_VALUE(7, "rows", -5);
    VPROF_ENQUEUE(100, 200);
    VPROF_DEQUEUE(100, 200);
    VPROF_FALSE_WAKEUP();
    VPROF_PROGRESS("unit");
    VPROF_ACQUIRE(9);
    SI_ENTER(SI_NONE);
    SI_END(7);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
    errno = 77;
    marks();
    sum += recurse(5) + indirect(1) + large_probe();
    for (int i = 0; i < n; i++)
        sum += leaf(i) > 0;
    CHECK(errno == 77);
    printf("%p %d\n", __extension__(void *) pointer, sum);
    return 0;
}
