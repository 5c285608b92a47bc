#include "runtime/waiters.h"

#include <sys/mman.h>

#include "runtime/shared_file.h"
#include "runtime/system.h"

#define TABLE_BYTES (WAITERS_WORDS * sizeof(uint32_t))

static uint32_t private_table[WAITERS_WORDS];
uint32_t *waiters_table = private_table;

static void *map_table(int fd)
{
    int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *table = mmap(NULL, TABLE_BYTES, PROT_READ | PROT_WRITE, flags, fd, 0);
    return table == MAP_FAILED ? NULL : table;
}

/* Zeros are written only beyond the end of the file, so that counters in use are kept; a disk
 * without room must show here and not as a SIGBUS later. */
static bool give_size(int fd)
{
    static const uint32_t zeros[WAITERS_WORDS];
    off_t end = lseek(fd, 0, SEEK_END);
    if (end >= (off_t)TABLE_BYTES || system_allocate(fd, 0, TABLE_BYTES) == 0)
        return true;
    return end == 0 && system_write_at(fd, zeros, TABLE_BYTES, 0) == (long)TABLE_BYTES;
}

void waiters_start(void)
{
    void *table = NULL;
    long fd = shared_file_open("waiters.shm");
    if (fd >= 0) {
        if (give_size((int)fd))
            table = map_table((int)fd);
        system_close((int)fd);
    }
    if (!table)
        table = map_table(-1);
    if (table)
        waiters_table = table;
}
