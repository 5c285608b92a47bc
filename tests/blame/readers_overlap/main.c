/* A writer waits for readers that overlap: report reads for 4 to 9 ms, and a browser looks in for 1 ms at a time, between what it
 * does by itself. The browser is often the last to let go. */
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
static pthread_rwlock_t rows = PTHREAD_RWLOCK_INITIALIZER;
static volatile int stop;
static volatile long held_total, held_since;
#define HELD(t) (held_total + (held_since ? (t) - held_since : 0))
void print_report(unsigned long *seed) { NAP(4000 + RNG(*seed) % 5000); }
void *reporter(void *p)
{
    unsigned long seed = 4;
    while (!stop) {
        NAP(6000);
        pthread_rwlock_rdlock(&rows);
        held_since = NOW();
        print_report(&seed);
        long h = NOW() - held_since;
        held_since = 0;
        held_total += h;
        pthread_rwlock_unlock(&rows);
    }
    return p;
}
void draw(void) { NAP(3000); }
void look_in(void) { NAP(1000); }
void *browser(void *p)
{
    while (!stop) {
        draw();
        pthread_rwlock_rdlock(&rows);
        look_in();
        pthread_rwlock_unlock(&rows);
    }
    return p;
}
void store(struct own_row *row)
{
    long a = NOW(), h = HELD(a), e;
    pthread_rwlock_wrlock(&rows);
    e = NOW();
    row->part[0] = e - a;
    row->part[1] = HELD(e) - h;
    NAP(50);
    pthread_rwlock_unlock(&rows);
}
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    NAP(150 + r % 60);
    store(row);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    pthread_t a, b;
    unsigned long seed = 9;
    own_open();
    pthread_create(&a, NULL, reporter, NULL);
    pthread_create(&b, NULL, browser, NULL);
    for (int i = 0; i < 500; i++) {
        serve(i + 1, RNG(seed));
        NAP(700 + RNG(seed) % 1500);
    }
    stop = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    own_close("wait report_held", NULL);
    return 0;
}
