/* an OpenMP loop in each request; one chunk in ten is relaxed for 3..9 ms longer, nearly always on a thread other than the request's: the request waits for it */
#include <omp.h>
#include "own.h"
#include <vprof_api.h>
static int requests = 350;
static long relaxed;
void relax_cell(unsigned r)
{
    long a = NOW();
    NAP(3000 + r % 6000);
    relaxed = NOW() - a;
}
void smooth_cell(unsigned r) { NAP(200 + r % 50); }
void solve(unsigned r)
{
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int c = 0; c < 4; c++) {
        smooth_cell(r + (unsigned)c);
        if (c == 3 && r % 5 == 0) relax_cell(r / 5);
    }
}
void load_grid(unsigned r) { NAP(150 + r % 40); }
void store_grid(unsigned r) { NAP(100 + r % 30); }
int main(int argc, char **argv)
{
    unsigned long seed = 77;
    if (argc > 1) requests = atoi(argv[1]);
    own_open();
    for (int i = 0; i < requests; i++) {
        struct own_row *row = OWN_ROW();
        unsigned r = RNG(seed);
        long a;
        relaxed = 0;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        load_grid(r);
        a = NOW();
        solve(r);
        row->part[0] = NOW() - a;
        store_grid(r);
        SI_END(i + 1);
        row->end = NOW();
        row->part[1] = relaxed;
        row->used = 1;
        NAP(200);
    }
    own_close("solve relax_cell", NULL);
    return 0;
}
