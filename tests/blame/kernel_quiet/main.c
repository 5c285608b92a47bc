/* As many threads as there are processors, each with one to itself, compute requests of 0.3 ms or, one time in six, 1 to 3 ms; above
   what is ordinary, so nobody is preempted and nobody sleeps within a request. */
#include "kernel.h"
#include <pthread.h>
#include <vprof_api.h>
enum { THREADS_MOST = 8, REQUESTS = 900 };
static double rate;
static long processors;
void compute(unsigned r) { OWN_SPIN(rate * (r % 6 == 0 ? 1000 + r / 6 % 2000 : 300)); }
void parse(unsigned r) { OWN_SPIN(rate * (30 + r % 20)); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    struct own_kernel before = own_asked();
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    parse(r);
    a = NOW();
    compute(r >> 5);
    row->part[1] = NOW() - a;
    SI_END(id);
    row->end = NOW();
    row->part[0] = own_asked().runnable - before.runnable;
    row->used = 1;
}
void *worker(void *p)
{
    long t = (long)p;
    unsigned long seed = (unsigned long)t + 14;
    own_pin((int)t);
    for (long i = 0; i < REQUESTS / processors; i++) { serve(t * 100000 + i + 1, RNG(seed)); NAP(500 + RNG(seed) % 500); }
    return p;
}
int main(void)
{
    pthread_t threads[THREADS_MOST];
    cpu_set_t may;
    own_open();
    rate = own_turns_per_us();
    sched_getaffinity(0, sizeof may, &may);
    processors = CPU_COUNT(&may) < THREADS_MOST ? CPU_COUNT(&may) : THREADS_MOST;
    for (long t = 0; t < processors; t++) pthread_create(&threads[t], NULL, worker, (void *)t);
    for (long t = 0; t < processors; t++) pthread_join(threads[t], NULL);
    own_close("runnable compute", NULL);
    return 0;
}
