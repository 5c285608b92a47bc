/* a request looks up or updates, and either waits for the compaction that holds the table's lock: two sites of waiting that
   exclude each other, and one holder of both */
#include "own.h"
#include <pthread.h>
#include <stdatomic.h>
#include <vprof_api.h>
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static atomic_int asked, held;
static _Atomic long let_go; /* when the table was let go of: what is later is no longer the holder's */
static int requests = 300;
static struct own_row *row;
void compact(int us) { NAP(us); }
void write_back(int us) { NAP(us); }
void hold_table(int us)
{
    pthread_mutex_lock(&table);
    held = 1;
    compact(us);
    if (us % 2) write_back(us / 4 + 50);
    let_go = NOW();
    pthread_mutex_unlock(&table);
}
void *maintain(void *unused)
{
    for (int us; (us = asked) >= 0;)
        if (us) { asked = 0; hold_table(us); }
        else NAP(20);
    return unused;
}
static void take_table(void)
{
    long a = NOW();
    pthread_mutex_lock(&table);
    row->part[0] += let_go > a ? let_go - a : 0;
}
void look_up(void) { take_table(); NAP(100); pthread_mutex_unlock(&table); }
void update(unsigned r) { NAP(200 + r % 100); take_table(); NAP(150); pthread_mutex_unlock(&table); }
void serve(long id, unsigned r)
{
    row = OWN_ROW();
    held = 0;
    asked = 1500 + (int)(r >> 4) % 1200;
    while (!held) NAP(5);
    row->begin = NOW();
    SI_BEGIN(id);
    if (r % 2) look_up();
    else update(r >> 8);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 21;
    pthread_t thread;
    own_open();
    pthread_create(&thread, NULL, maintain, NULL);
    for (int i = 0; i < requests; i++) serve(i + 1, RNG(seed));
    asked = -1;
    pthread_join(thread, NULL);
    own_close("take_table", NULL);
    return 0;
}
