/* forks_handled.c: handlers of pthread_atfork() that record, of a library that registered them
 * before the runtime did, and of the program. Other threads go on recording meanwhile; every
 * second child records nothing else, and each has a child of its own. */
#include "target.h"

#include "forks_handled.h"

#include <sys/wait.h>

enum { THREADS = 2, CHILDREN = 3 };

static int over;

static void work(long id)
{
    VPROF_FUNCTION(1)
    VPROF_ENQUEUE(0, id);
}

static void prepare(void)
{
    work(PREPARE + LATE);
}

static void in_parent(void)
{
    work(PARENT + LATE);
}

static void in_child(void)
{
    work(CHILD + LATE);
}

static void *thread(void *arg)
{
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        work(1);
        sleep_us(50);
    }
    return arg;
}

static void child(int id)
{
    if (id % 2)
        work(2);
    if (fork() == 0)
        exit(0);
    exit(wait(NULL) < 0);
}

int main(void)
{
    pthread_t threads[THREADS];
    int failed = 0, status;
    CHECK(pthread_atfork(prepare, in_parent, in_child) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, thread, NULL) == 0);
    for (int id = 0; id < CHILDREN; id++)
        if (fork() == 0)
            child(id);
    while (wait(&status) > 0)
        failed |= status;
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return failed != 0;
}
