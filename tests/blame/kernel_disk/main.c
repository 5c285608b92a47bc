/* A request computes, reads its record from the disk past the kernel's cache (2 MB, or one time in three 8 MB: of which what the call
   costs a processor is little), and computes again. WRITE: it writes it there, over what the file already holds; SYNC: it
   appends to the file and waits until that is on the disk, for which it waits for the file system's own threads. */
#include "kernel.h"
#include <sys/mman.h>
#include <vprof_api.h>
enum { FILE_MB = 64 };
static double rate;
static int file;
static char *buffer;
void compute(unsigned r) { OWN_SPIN(rate * (150 + r % 100)); }
void move_record(unsigned r)
{
    size_t size = (size_t)(r % 3 == 0 ? 8 : 2) << 20;
    off_t at = (off_t)(r / 3 % (FILE_MB - 8)) << 20;
#ifdef WRITE
    if (pwrite(file, buffer, size, at) != (ssize_t)size) exit(8);
#elif defined SYNC
    (void)at;
    if (write(file, buffer, size / 16) != (ssize_t)size / 16 || fdatasync(file)) exit(8);
#else
    if (pread(file, buffer, size, at) != (ssize_t)size) exit(8);
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
    move_record(r);
    row->part[0] = NOW() - a;
    after = own_asked();
    row->part[1] = row->part[0] - (after.ran - k.ran);
    row->part[2] = row->part[1] - (after.runnable - k.runnable);
    compute(r >> 7);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 14;
    char disk[100], more[200];
    own_open();
    rate = own_turns_per_us();
    if (posix_memalign((void **)&buffer, 1 << 21, 8 << 20)) exit(8);
    madvise(buffer, 8 << 20, MADV_HUGEPAGE);
    memset(buffer, 1, 8 << 20);
    #ifdef SYNC
    file = own_file("records", 1, O_APPEND);
#else
    file = own_file("records", FILE_MB, O_DIRECT);
#endif
    own_disk(file, disk, sizeof disk);
    for (int i = 0; i < 400; i++) { serve(i + 1, RNG(seed)); NAP(200 + RNG(seed) % 1000); }
    snprintf(more, sizeof more, ",\"disk\":\"%s\"", disk);
    own_close("move_record away blocked", more);
    return 0;
}
