#include "base/folder_limit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

struct aged_file {
    char *name;
    struct timespec used;
    uint64_t bytes;
};

void folder_limit_touch(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

static int compare_ages(const void *a, const void *b)
{
    const struct timespec *x = &((const struct aged_file *)a)->used;
    const struct timespec *y = &((const struct aged_file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void folder_limit_keep(const char *path, uint64_t most_bytes)
{
    struct aged_file *files = NULL;
    size_t count = 0, capacity = 0;
    uint64_t bytes = 0;
    DIR *folder = opendir(path);
    struct stat status;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            uint64_t size = (uint64_t)status.st_blocks * 512;
            VEC_PUSH(files, count, capacity) =
                (struct aged_file){memory_strdup(entry->d_name), status.st_mtim, size};
            bytes += size;
        }
    if (bytes > most_bytes)
        qsort(files, count, sizeof *files, compare_ages);
    bool removes = bytes > most_bytes;
    for (size_t i = 0; i < count; i++) {
        if (removes && bytes > most_bytes / 2 && unlinkat(dirfd(folder), files[i].name, 0) == 0)
            bytes -= files[i].bytes;
        memory_free(files[i].name);
    }
    memory_free(files);
    if (folder)
        closedir(folder);
}
