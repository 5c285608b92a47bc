/* a join that probes a small table and compares keys, some 20 to 60 ns each, thousands of times: the probes of both are more than
   what the join does itself. What it reads first takes its time too, in few calls */
#include "own.h"
#include <vprof_api.h>
static unsigned keys[1024];
static volatile unsigned sink;
static struct own_row *row;
__attribute__((noinline)) unsigned hash_of(unsigned key) { for (int i = 0; i < 8; i++) key = (key ^ key >> 15) * 0x2c1b3c6du; return key; }
__attribute__((noinline)) int same_key(unsigned a, unsigned b) { for (int i = 0; i < 12; i++) a = a * 1664525u + keys[b >> 22]; return (a & 7) == 0; }
void join_rows(unsigned rows)
{
    unsigned hits = 0;
    for (unsigned i = 0; i < rows; i++)
        if (same_key(i, hash_of(i))) hits++;
    sink = hits;
}
void read_rows(unsigned r) { long a = NOW(); NAP(200 + r % 300); row->part[1] += NOW() - a; }
void serve(long id, unsigned r)
{
    row = OWN_ROW();
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    read_rows(r >> 7);
    a = NOW();
    join_rows(3000 + r % 25000);
    row->part[0] = NOW() - a;
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 3;
    own_open();
    for (int i = 0; i < 1024; i++) keys[i] = (unsigned)RNG(seed) | 1u << 22;
    for (int i = 0; i < 250; i++) { serve(i + 1, RNG(seed)); NAP(1500); }
    own_close("join_rows read_rows", NULL);
    return 0;
}
