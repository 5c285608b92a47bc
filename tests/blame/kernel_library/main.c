/* A request takes from a cache, whose lock lies in a library that nobody rewrote and that is loaded while the program runs. Who
   holds it: the compactor, which gives the library a callback that takes 3 to 9 ms. FUTEX: the lock is of the library's own
   making, of futexes; else it is a pthread_mutex_t. */
#include <dlfcn.h>
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
static int (*cache_get)(unsigned);
static void (*cache_compact)(void (*)(void));
static volatile int over;
static unsigned long compactor_seed = 5;
void move_pages(void)
{
    long a = NOW();
    NAP(3000 + RNG(compactor_seed) % 6000);
    own_planted(a, NOW(), -1);
}
void *compactor(void *p)
{
    while (!over) { NAP(12000 + RNG(compactor_seed) % 8000); cache_compact(move_pages); }
    return p;
}
void get(unsigned r) { if (cache_get(r) < 0) exit(8); }
void read_query(unsigned r) { NAP(100 + r % 40); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    read_query(r);
    row->part[1] = NOW();
    get(r);
    row->part[2] = NOW();
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    void *library = dlopen("./libcache.so", RTLD_NOW);
    unsigned long seed = 14;
    pthread_t c;
    if (!library) exit(8);
    *(void **)&cache_get = dlsym(library, "cache_get");
    *(void **)&cache_compact = dlsym(library, "cache_compact");
    own_open();
    pthread_create(&c, NULL, compactor, NULL);
    for (int i = 0; i < 900; i++) { serve(i + 1, RNG(seed)); NAP(500 + RNG(seed) % 2000); }
    over = 1;
    pthread_join(c, NULL);
    for (long i = 0; i < *own_next; i++) {
        struct own_row *row = &own_rows[i];
        row->part[0] = own_overlap(row->part[1], row->part[2], -1);
        row->part[1] = row->part[2] - row->part[1];
    }
    own_close("planted get", NULL);
    return 0;
}
