/* A scan that calls a short function for each row, 4,000 to 24,000 times a request, and works itself between the calls: of the
   caller's time the probes take their part, and no more. What its own work takes was measured without the calls. */
#include "own.h"
#include <vprof_api.h>
enum { STEPS = 80, MOST_ROWS = 24000 };
static unsigned table[1024];
static double step_ns; /* own work of one row */
static struct own_row *row;
__attribute__((noinline)) unsigned match(unsigned x) { for (int i = 0; i < 20; i++) x = x * 1103515245u + 12345; return x; }
#define OWN_WORK(h, x) do { for (int k = 0; k < STEPS; k++) h = (h ^ (x)) * 16777619u; } while (0)
__attribute__((noinline)) unsigned without_calls(unsigned rows)
{
    unsigned h = 1;
    for (unsigned i = 0; i < rows; i++) { unsigned x = table[i % 1024]; OWN_WORK(h, x); table[i % 1024] = h; }
    return h;
}
unsigned scan(unsigned rows)
{
    unsigned h = 1;
    for (unsigned i = 0; i < rows; i++) { unsigned x = match(table[i % 1024]); OWN_WORK(h, x); table[i % 1024] = h; }
    return h;
}
void reply(unsigned r) { NAP(100 + r % 200); }
int main(void)
{
    unsigned long seed = 4;
    unsigned sum = 0;
    own_open();
    for (int i = 0; i < 20; i++) {
        long a = NOW();
        sum += without_calls(MOST_ROWS);
        double each = (double)(NOW() - a) / MOST_ROWS;
        if (i == 0 || each < step_ns) step_ns = each;
    }
    for (long id = 1; id <= 250; id++) {
        unsigned r = RNG(seed), rows = 4000 + r % 20000;
        row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN(id);
        long a = NOW();
        sum += scan(rows);
        row->part[0] = NOW() - a;
        row->part[1] = (long)(rows * step_ns);
        reply(r >> 8);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(1500);
    }
    own_close("scan own_work", sum ? NULL : " ");
    return 0;
}
