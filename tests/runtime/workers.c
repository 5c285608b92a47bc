/* workers.c [CALLS]: an interval begun in main, worked on by four threads, ended in another; half
 * of the threads are made by a wrapped pthread_create. */
#include "target.h"

#define WORKERS 4

static int calls = 10000;

static int step(int a)
{
    VPROF_FUNCTION(1)
    return a + 1;
}

static pthread_key_t late_key;

/* A destructor of the program's own that is instrumented, too. */
static void late(void *p)
{
    VPROF_FUNCTION(5)
    (void)p;
}

static void *worker(void *arg)
{
    long n = (long)arg;
    int sum = 0;
    pthread_setspecific(late_key, &late_key);
    SI_ENTER(1);
    for (int i = 0; i < calls; i++)
        sum = step(sum);
    if (n == WORKERS - 1)
        SI_END(1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[WORKERS];
    void *result;
    calls = argc > 1 ? atoi(argv[1]) : calls;
    pthread_key_create(&late_key, late);
    SI_BEGIN(1);
    for (long i = 0; i < WORKERS; i++) {
        int rc = i % 2 == 0 ? VPROF_SYNC4(11, thread_create, pthread_create, &t[i], NULL, worker,
                                          (void *)i)
                            : pthread_create(&t[i], NULL, worker, (void *)i);
        CHECK(rc == 0);
        CHECK(VPROF_SYNC2(12, thread_join, pthread_join, t[i], &result) == 0);
        CHECK((long)result == i);
    }
    return 0;
}
