#include <stdio.h>

struct lock {
    int taken;
};

static struct lock *slot;

/* Called in a macro. */
static int take(struct lock *lock, int mode)
{VPROF_FUNCTION(1)VPROF_ACQUIRE_ENTRY(17, lock) 
    return lock->taken = mode;
}
#define TAKE(l) take(l, 1)

/* Its address is taken. */
static void give(int mode, struct lock *lock)
{VPROF_RELEASE_ENTRY(18, lock) 
    lock->taken = mode;
}
static void (*const giver)(int, struct lock *) = give;

static void push(struct lock *task) {VPROF_ENQUEUE_ENTRY(19, task) 
    slot = task; }
#define NAMED(what) pu##what

static void finish(long task)
{VPROF_DEQUEUE_ENTRY(20, task) 
    slot = NULL;
    printf("%d\n", task != 0);
}

static int pop_into(int wait, struct lock **task)
{VPROF_DEQUEUE_AT_ENTRY(21, task) 
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
{VPROF_FUNCTION(7)
    struct lock lock = {0}, *task;
    struct queue queue = {pop_into};
    void (*end)(long) = finish;
    int taken = TAKE(&lock);
    giver(0, &lock), give(0, &lock);
    NAMED(sh)(&lock);
    queue.pop(1, &task);
    if (task)
        end(7);
    plain(VPROF_RELEASED(15, &lock));
    return printf("%d\n", taken) < 0;
}
