#include <pthread.h>
#include <vprof_api.h>
#include "own.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int over;
static void nap(long us) { struct timespec t = { us / 1000000, us % 1000000 * 1000 }; while (nanosleep(&t, &t)) ; }
static void compact(void) { pthread_mutex_lock(&m); nap(6000); pthread_mutex_unlock(&m); }
static void *background(void *a) { while (!over) { compact(); nap(15000); } return a; }
static void put(struct own_row *row) { long a = NOW(); pthread_mutex_lock(&m); row->part[0] = NOW() - a; nap(100); pthread_mutex_unlock(&m); }
static void request(long i)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(i);
    put(row);
    SI_END(i);
    row->end = NOW();
    row->used = 1;
    nap(1000);
}
int main(void)
{
    pthread_t t;
    own_open();
    pthread_create(&t, 0, background, 0);
    for (long i = 1; i <= 600; i++) request(i);
    over = 1;
    pthread_join(t, 0);
    own_close("lockwait", 0);
    return 0;
}
