/* A request waits for its result a millisecond at a time, to look for other things in between; the worker takes 2 to 14 ms. */
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int wanted, ready, stop;
void compute(unsigned long *seed) { NAP(2000 + RNG(*seed) % 12000); }
void *worker(void *p)
{
    unsigned long seed = 5;
    pthread_mutex_lock(&m);
    while (!stop) {
        while (!wanted && !stop)
            pthread_cond_wait(&asked, &m);
        wanted = 0;
        pthread_mutex_unlock(&m);
        compute(&seed);
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&done);
    }
    pthread_mutex_unlock(&m);
    return p;
}
void await_result(void)
{
    pthread_mutex_lock(&m);
    wanted = 1;
    ready = 0;
    pthread_cond_signal(&asked);
    while (!ready) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 1000000;
        if (t.tv_nsec >= 1000000000) {
            t.tv_nsec -= 1000000000;
            t.tv_sec++;
        }
        pthread_cond_timedwait(&done, &m, &t);
    }
    pthread_mutex_unlock(&m);
}
int main(void)
{
    pthread_t w;
    unsigned long seed = 9;
    own_open();
    pthread_create(&w, NULL, worker, NULL);
    for (int i = 0; i < 250; i++) {
        struct own_row *row = OWN_ROW();
        long a;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        NAP(150 + RNG(seed) % 60);
        a = NOW();
        await_result();
        row->part[0] = NOW() - a;
        SI_END(i + 1);
        row->end = NOW();
        row->used = 1;
    }
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&asked);
    pthread_mutex_unlock(&m);
    pthread_join(w, NULL);
    own_close("wait", NULL);
    return 0;
}
