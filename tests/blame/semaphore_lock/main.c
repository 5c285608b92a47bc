/* A semaphore as a lock, and barging: stock_take holds it 5..8 ms. When it lets go, a poller that asks again and again by trywait (and holds it for 1 ms once it has it, after 1.5 ms of own work, brood, without it) often
   gets it before the request that was there first. brood holds nothing and is innocent */
#include <pthread.h>
#include <semaphore.h>
#include "own.h"
#include <vprof_api.h>
static sem_t m;
static volatile int stop;
/* how long stock_take has held the mutex until now: the truth of each wait */
static volatile long held_total, held_since;
#define HELD(t) (held_total + (held_since ? (t) - held_since : 0))
static int requests = 500;
void stock_take(unsigned long *seed) { NAP(5000 + RNG(*seed) % 3000); }
void *keeper(void *p) { unsigned long seed = 4; while (!stop) { NAP(9000); sem_wait(&m); held_since = NOW(); stock_take(&seed); long h = NOW() - held_since; held_since = 0; held_total += h; sem_post(&m); } return p; }
void brood(void) { NAP(1500); }
void peek(void) { NAP(1000); }
void *poller(void *p) { while (!stop) { brood(); while (sem_trywait(&m) != 0 && !stop) { struct timespec t = { 0, 1000 }; nanosleep(&t, NULL); } peek(); sem_post(&m); } return p; }
void reserve(struct own_row *row) { long a = NOW(), h = HELD(a), e; sem_wait(&m); e = NOW(); row->part[0] = e - a; row->part[1] = HELD(e) - h; NAP(50); sem_post(&m); }
void parse(unsigned r) { NAP(150 + r % 60); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    parse(r);
    reserve(row);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(int argc, char **argv)
{
    pthread_t a, b;
    unsigned long seed = 9;
    if (argc > 1) requests = atoi(argv[1]);
    own_open();
    sem_init(&m, 0, 1);
    pthread_create(&a, NULL, keeper, NULL);
    pthread_create(&b, NULL, poller, NULL);
    for (int i = 0; i < requests; i++) { serve(i + 1, RNG(seed)); NAP(700 + RNG(seed) % 1500); }
    stop = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    own_close("wait stock_take_held", NULL);
    return 0;
}
