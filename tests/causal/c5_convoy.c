/* c5_convoy.c - two threads, w 1 ms outside and c 3 ms inside a lock. With x = 1 - s a pass takes
 * max(c x, (w + c x)/2): c faster gains s up to 2/3, then 1 - (1 + 3x)/6; w nothing. That is so where each has a
 * processor, which the scheduler does not always see to by itself. */
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double left_w, left_c;

static __attribute__((noinline)) void w(void)
{
    work_ms(1 * left_w);
}

static __attribute__((noinline)) void c(void)
{
    work_ms(3 * left_c);
}

static void *passes(void *processor)
{
    work_on_processor(processor != NULL);
    while (work_goes_on()) {
        w();
        pthread_mutex_lock(&lock);
        c();
        pthread_mutex_unlock(&lock);
        VPROF_PROGRESS("pass");
    }
    return processor;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_w = left("w");
    left_c = left("c");
    work_goes_on();
    pthread_create(&thread, NULL, passes, &lock);
    passes(NULL);
    return 0;
}
