/* A bell that two ring: the baker when a loaf is ready, after 2 to 14 ms, and a child every ms for nothing. Whoever waits says by
 * VPROF_FALSE_WAKEUP that it was nothing. */
#include <pthread.h>
#include <semaphore.h>
#include "own.h"
#include <vprof_api.h>
static sem_t bell, order;
static volatile int ready, stop;
void bake(unsigned long *seed) { NAP(2000 + RNG(*seed) % 12000); }
void *baker(void *p)
{
    unsigned long seed = 5;
    for (;;) {
        sem_wait(&order);
        if (stop)
            return p;
        bake(&seed);
        ready = 1;
        sem_post(&bell);
    }
}
void play(void) { NAP(1000); }
void *child(void *p)
{
    while (!stop) {
        play();
        sem_post(&bell);
    }
    return p;
}
void await_loaf(void)
{
    ready = 0;
    sem_post(&order);
    while (!ready) {
        sem_wait(&bell);
        if (!ready)
            VPROF_FALSE_WAKEUP();
    }
}
int main(void)
{
    pthread_t b, c;
    unsigned long seed = 9;
    own_open();
    sem_init(&bell, 0, 0);
    sem_init(&order, 0, 0);
    pthread_create(&b, NULL, baker, NULL);
    pthread_create(&c, NULL, child, NULL);
    for (int i = 0; i < 250; i++) {
        struct own_row *row = OWN_ROW();
        long a;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        NAP(150 + RNG(seed) % 60);
        a = NOW();
        await_loaf();
        row->part[0] = NOW() - a;
        SI_END(i + 1);
        row->end = NOW();
        row->used = 1;
    }
    stop = 1;
    sem_post(&order);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    own_close("wait", NULL);
    return 0;
}
