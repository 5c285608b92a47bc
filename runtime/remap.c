#include "runtime/remap.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "runtime/objects.h"

#define FAILED ((void *)-1) /* of mmap and of shmat */

void *remap_mmap(unsigned site, void *address, unsigned long size, int protection, int flags,
                 int fd, long offset)
{
    (void)site;
    void *mapped = mmap(address, size, protection, flags, fd, offset);
    if (mapped != FAILED && (flags & (MAP_SHARED | MAP_FIXED)))
        objects_forget_mapped(mapped, size);
    else if (mapped != FAILED) /* other code may have unmapped shared memory there */
        objects_forget_unmapped(mapped, size);
    return mapped;
}

int remap_munmap(unsigned site, void *address, unsigned long size)
{
    (void)site;
    int rc = munmap(address, size);
    if (rc == 0)
        objects_forget_unmapped(address, size);
    return rc;
}

void *remap_shmat(unsigned site, int id, const void *address, int flags)
{
    (void)site;
    struct shmid_ds segment = {.shm_segsz = 0};
    void *mapped = shmat(id, address, flags);
    int error = errno;
    if (mapped != FAILED && shmctl(id, IPC_STAT, &segment) == 0)
        objects_forget_mapped(mapped, segment.shm_segsz);
    errno = error;
    return mapped;
}

int remap_shmdt(unsigned site, const void *address)
{
    (void)site;
    int rc = shmdt(address);
    if (rc == 0)
        objects_forget_unmapped(address, 0);
    return rc;
}
