/* c2_pipeline.c - two stages, f 2 ms and g 4 ms, with a short queue between: g faster gains s up to 50 %, f nothing. */
#include "work.h"

enum { ROOM = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued;
static double left_f, left_g;

static __attribute__((noinline)) void f(void)
{
    work_ms(2 * left_f);
}

static __attribute__((noinline)) void g(void)
{
    work_ms(4 * left_g);
}

static void move(int by)
{
    pthread_mutex_lock(&lock);
    while (by > 0 ? queued == ROOM : queued == 0)
        pthread_cond_wait(&changed, &lock);
    queued += by;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
    while (1) {
        f();
        move(1);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_f = left("f");
    left_g = left("g");
    pthread_create(&thread, NULL, first, NULL);
    while (work_goes_on()) {
        move(-1);
        g();
        VPROF_PROGRESS("item");
    }
    return 0;
}
