#include <stdio.h>

struct lock {
    int taken;
};

static struct lock *slot;

/* Called in a macro. */
static int take(struct lock *lock, int mode)
{
    return lock->taken = mode;
}
#define TAKE(l) take(l, 1)

/* Its address is taken. */
static void give(int mode, struct lock *lock)
{
    lock->taken = mode;
}
static void (*const giver)(int, struct lock *) = give;

static void push(struct lock *task) {
    slot = task; }
#define NAMED(what) pu##what

static void finish(long task)
{
    slot = NULL;
    printf("%d\n", task != 0);
}

static int pop_into(int wait, struct lock **task)
{
    *task = slot;
    return wait;
}
struct queue {
    int (*pop)(int wait, struct lock **task);
};

/* All its calls can be wrapped. */
static void plain(struct lock *lock)
{
    lock->taken = 0;
}

int main(void)
{
    struct lock lock = {0}, *task;
    struct queue queue = {pop_into};
    void (*end)(long) = finish;
    int taken = TAKE(&lock);
    giver(0, &lock), give(0, &lock);
    NAMED(sh)(&lock);
    queue.pop(1, &task);
    if (task)
        end(7);
    plain(&lock);
    return printf("%d\n", taken) < 0;
}
