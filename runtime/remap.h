/* remap.h - the calls by which a program maps shared memory, and unmaps it.
 *
 * Results and errno are those of the real calls. What objects.h knows of that memory is forgotten.
 */
#ifndef RUNTIME_REMAP_H
#define RUNTIME_REMAP_H

void *remap_mmap(unsigned site, void *address, unsigned long size, int protection, int flags,
                 int fd, long offset);
int remap_munmap(unsigned site, void *address, unsigned long size);
void *remap_shmat(unsigned site, int id, const void *address, int flags);
int remap_shmdt(unsigned site, const void *address);

#endif
