#include <stdio.h>
#include <stdlib.h>

struct lock {
    int taken;
};
struct task {
    int number;
};

static struct task *slots[4];
static int used;

static int take(struct lock *lock, int mode)
{
    return lock->taken = mode;
}

static void give(struct lock *lock)
{
    lock->taken = 0;
}

static void push(int priority, struct task *task)
{
    slots[used++] = priority ? task : NULL;
}

static struct task *pop(void)
{
    return used ? slots[--used] : NULL;
}

static int pop_into(int wait, struct task **task)
{
    *task = VPROF_DEQUEUED(8, pop());
    return wait;
}

static void finish(struct task *task)
{
    printf("%d\n", task->number);
}

int main(void)
{VPROF_FUNCTION(7)
    struct lock locks[2] = {{0}, {0}};
    struct task tasks[2] = {{1}, {2}}, *task;
    if (__extension__({VPROF_ACQUIRING(10) take(VPROF_OBJECT(10, &locks[abs(-1)]), 1);}) != 1)
        return 1;
    push(1, VPROF_ENQUEUED(12, &tasks[0])), push(abs(1), VPROF_ENQUEUED(13, &tasks[1]));
    give(VPROF_RELEASED(15, &locks[1]));
    task = VPROF_DEQUEUED(16, pop());
    __extension__({VPROF_DEQUEUING(17) finish(VPROF_TAKEN(17, task));});
    if (__extension__({VPROF_DEQUEUING(18) pop_into(1, VPROF_TAKEN_AT(18, &task));}) && task)
        __extension__({VPROF_DEQUEUING(19) finish(VPROF_TAKEN(19, task));});
    VPROF_DEQUEUED(20, pop());
    return 0;
}
