/* a sort that calls itself twice, of parts of a random size, to a depth that is random too: swapping takes time at every level,
   so sites below each other, beside each other and in no request together are of one function */
#include "own.h"
#include <functional>
#include <vprof_api.h>
static own_row *row;
struct sorter {
    unsigned long seed = 9;
    void swap_part(unsigned us);
    void check_order(unsigned us);
    void sort_part(int depth, unsigned us);
};
__attribute__((noinline)) void sorter::swap_part(unsigned us) { long a = NOW(); NAP(us); row->part[0] += NOW() - a; }
__attribute__((noinline)) void sorter::check_order(unsigned us) { long a = NOW(); NAP(us); row->part[1] += NOW() - a; }
void sorter::sort_part(int depth, unsigned us)
{
    swap_part(us);
    if (depth > 0 && RNG(seed) % 3) sort_part(depth - 1, us / 2 + 100);
    if (depth > 0 && RNG(seed) % 3) sort_part(depth - 1, us / 2 + 100);
    if (depth == 0 || RNG(seed) % 2) check_order(200);
}
int main()
{
    sorter s;
    own_open();
    for (long id = 1; id <= 300; id++) {
        row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN(id);
        s.sort_part(3, 200 + RNG(s.seed) % 500);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(200);
    }
    own_close("swap_part check_order", NULL);
    return 0;
}
