/* A request that finds its queue full backs off: usleep for 3 to 8 ms, one time in six; WAIT: it waits for room, and nobody makes
   any before the time is out. */
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER;
#ifdef WAIT
static void pause_for(long us)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += us * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    while (pthread_cond_timedwait(&room, &lock, &until) == 0) {}
    pthread_mutex_unlock(&lock);
}
#else
static void pause_for(long us) { (void)lock; (void)room; usleep((useconds_t)us); }
#endif
void back_off(unsigned r) { pause_for(r % 6 == 0 ? 3000 + r / 6 % 5000 : 100); }
void enqueue(unsigned r)
{
    volatile unsigned x = r;
    for (int i = 0; i < 40000; i++) x = x * 3 + 1;
}
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    enqueue(r);
    a = NOW();
    back_off(r);
    row->part[0] = NOW() - a;
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 14;
    own_open();
    for (int i = 0; i < 500; i++) { serve(i + 1, RNG(seed)); NAP(200 + RNG(seed) % 1000); }
    own_close("back_off", NULL);
    return 0;
}
