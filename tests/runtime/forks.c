/* forks.c: three children, one with a child and a thread of its own; the parent goes on, too. A
 * fourth child never records. */
#include "target.h"

#include <sys/wait.h>

#define CALLS 5000

static void work(long id)
{
    VPROF_FUNCTION(1)
    VPROF_ENQUEUE(0, id);
}

static void *thread(void *arg)
{
    work((long)arg);
    return NULL;
}

static void burst(long id)
{
    for (int i = 0; i < CALLS; i++)
        work(id);
}

static void child(long id)
{
    pthread_t t;
    burst(id);
    if (id == 2) {
        CHECK(pthread_create(&t, NULL, thread, (void *)id) == 0);
        CHECK(pthread_join(t, NULL) == 0);
        if (fork() == 0) {
            burst(20);
            exit(0);
        }
        wait(NULL);
    }
    exit(0);
}

int main(void)
{
    burst(0);
    for (long id = 1; id <= 3; id++) {
        if (fork() == 0)
            child(id);
        work(0);
    }
    if (fork() == 0)
        _exit(0);
    burst(0);
    while (wait(NULL) > 0)
        ;
    return 0;
}
