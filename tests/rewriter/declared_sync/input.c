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
    *task = pop();
    return wait;
}

static void finish(struct task *task)
{
    printf("%d\n", task->number);
}

int main(void)
{
    struct lock locks[2] = {{0}, {0}};
    struct task tasks[2] = {{1}, {2}}, *task;
    if (take(&locks[abs(-1)], 1) != 1)
        return 1;
    push(1, &tasks[0]), push(abs(1), &tasks[1]);
    give(&locks[1]);
    task = pop();
    finish(task);
    if (pop_into(1, &task) && task)
        finish(task);
    pop();
    return 0;
}
