/* A request computes and looks into a mapped file: at 1 page, or one time in five at 8 to 23 of them, none of which is in memory.
   They were dropped from the cache; PAGEOUT: given back, by who owns the mapping, one page or so in two. */
#include "kernel.h"
#include <sys/mman.h>
#include <vprof_api.h>
enum { FILE_MB = 64, PAGE = 4096, STEP = 16 * PAGE, MOST = 24 };
static double rate;
static int file;
static char *map;
static volatile unsigned sum;
void compute(unsigned r) { OWN_SPIN(rate * (150 + r % 100)); }
static char *place(unsigned r) { return map + (size_t)(r % (FILE_MB * 16 - MOST)) * STEP; }
void look_up(unsigned r, int pages) { for (int i = 0; i < pages; i++) sum += (unsigned char)place(r)[(size_t)i * STEP]; }
/* Before the request, and outside it. */
void forget(void)
{
#ifdef PAGEOUT
    if (madvise(map, (size_t)FILE_MB << 20, 21 /* MADV_PAGEOUT */)) own_skip("the kernel has no MADV_PAGEOUT");
#else
    madvise(map, (size_t)FILE_MB << 20, MADV_DONTNEED);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
#endif
}
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    struct own_kernel k, after;
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    compute(r);
    k = own_asked();
    a = NOW();
    look_up(r >> 3, r % 5 == 0 ? 8 + (int)(r / 5 % 16) : 1);
    row->part[0] = NOW() - a;
    after = own_asked();
    row->part[1] = row->part[0] - (after.ran - k.ran);
    row->part[2] = row->part[1] - (after.runnable - k.runnable);
    row->part[3] = (after.faults - k.faults) * 1000;
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 14;
    own_open();
    rate = own_turns_per_us();
    file = own_file("pages", FILE_MB, 0);
    map = mmap(NULL, (size_t)FILE_MB << 20, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) exit(8);
    madvise(map, (size_t)FILE_MB << 20, MADV_RANDOM);
    for (int i = 0; i < 500; i++) { forget(); serve(i + 1, RNG(seed)); NAP(200 + RNG(seed) % 1000); }
    own_close("look_up away blocked faults", NULL);
    return 0;
}
