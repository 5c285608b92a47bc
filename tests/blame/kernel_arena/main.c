/* A request allocates its answer; all threads have one arena. Who holds its lock for milliseconds: the reporter, which lets the
   allocator look through all free chunks (mallinfo2), of which there are many. */
#include <malloc.h>
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
enum { CHUNKS = 300000 };
static volatile int over;
static void *chunks[CHUNKS];
static volatile size_t in_use;
void count_memory(void)
{
    long a = NOW();
    in_use = mallinfo2().uordblks;
    own_planted(a, NOW(), -1);
}
void *reporter(void *p)
{
    unsigned long seed = 5;
    while (!over) { NAP(8000 + RNG(seed) % 8000); for (unsigned i = RNG(seed) % 3; i < 3; i++) count_memory(); }
    return p;
}
void make_answer(unsigned r)
{
    char *volatile answer = malloc(20000 + r % 10000); /* else the compiler leaves both calls out */
    free(answer);
}
void read_query(unsigned r) { NAP(100 + r % 40); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    read_query(r);
    row->part[1] = NOW();
    make_answer(r);
    row->part[2] = NOW();
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
/* Every second one is free, and no two of these lie side by side. */
static void fragment(void)
{
    for (int i = 0; i < CHUNKS; i++) chunks[i] = malloc(1200);
    for (int i = 0; i < CHUNKS; i += 2) free(chunks[i]);
}
int main(void)
{
    unsigned long seed = 14;
    pthread_t c;
    own_open();
    mallopt(M_ARENA_MAX, 1);
    fragment();
    pthread_create(&c, NULL, reporter, NULL);
    for (int i = 0; i < 900; i++) { serve(i + 1, RNG(seed)); NAP(500 + RNG(seed) % 1500); }
    over = 1;
    pthread_join(c, NULL);
    for (long i = 0; i < *own_next; i++) {
        struct own_row *row = &own_rows[i];
        row->part[0] = own_overlap(row->part[1], row->part[2], -1);
        row->part[1] = row->part[2] - row->part[1];
    }
    own_close("planted make_answer", NULL);
    return 0;
}
