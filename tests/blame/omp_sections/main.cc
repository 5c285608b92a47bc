// The sections of a request run at once; one time in six the second takes 2..6 ms. In C++, by lambdas.
#include <omp.h>

#include "own.h"
#include <vprof_api.h>

static long slow;

static void sort_run(unsigned r)
{
    long a = NOW();
    NAP(2000 + r % 4000);
    slow = NOW() - a;
}

static void copy_run(unsigned r) { NAP(150 + r % 30); }

struct Merge {
    unsigned r;
    void run()
    {
        auto second = [this] {
            if (r % 6 == 0)
                sort_run(r / 6);
            else
                copy_run(r);
        };
#pragma omp parallel sections num_threads(3)
        {
#pragma omp section
            copy_run(r);
#pragma omp section
            {
                second();
            }
#pragma omp section
            copy_run(r + 1);
        }
    }
};

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    Merge{r}.run();
    NAP(50 + r % 20);
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main()
{
    own_open();
    unsigned long seed = 31;
    for (int i = 0; i < 600; i++)
        serve(i + 1, RNG(seed));
    own_close("sort_run", nullptr);
    return 0;
}
