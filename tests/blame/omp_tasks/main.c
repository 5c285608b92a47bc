/* Tasks, which whoever waits runs too: who waits for whom is not seen, and the report says so. */
#include <omp.h>

#include "own.h"
#include <vprof_api.h>

static void walk_tree(unsigned r) { NAP(r % 6 == 0 ? 2000 + r / 6 % 4000 : 100); }

static void build(unsigned r)
{
#pragma omp parallel num_threads(3)
#pragma omp single nowait
    for (unsigned i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
        walk_tree(i == 1 ? r : r * 6 + 1);
    }
}

int main(void)
{
    unsigned long seed = 37;
    own_open();
    for (int i = 0; i < 500; i++) {
        struct own_row *row = OWN_ROW();
        unsigned r = RNG(seed);
        long a;
        row->begin = NOW();
        SI_BEGIN(i + 1);
        a = NOW();
        build(r);
        row->part[0] = NOW() - a;
        SI_END(i + 1);
        row->end = NOW();
        row->used = 1;
    }
    own_close("build", NULL);
    return 0;
}
