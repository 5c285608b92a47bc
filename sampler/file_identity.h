/* file_identity.h - what tells a file from others: also from what it was before it was written over.
 *
 *     struct file_identity now = file_identity_of(&is);
 *     if (!file_identity_same(&now, &then)) ...
 */
#ifndef SAMPLER_FILE_IDENTITY_H
#define SAMPLER_FILE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct file_identity {
    uint64_t device, inode, bytes;
    uint64_t written_ns; /* since 1970 */
};

static inline struct file_identity file_identity_of(const struct stat *is)
{
    return (struct file_identity){(uint64_t)is->st_dev, (uint64_t)is->st_ino, (uint64_t)is->st_size,
                                  (uint64_t)is->st_mtim.tv_sec * 1000000000 +
                                      (uint64_t)is->st_mtim.tv_nsec};
}

static inline bool file_identity_same(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           a->written_ns == b->written_ns;
}

#endif
