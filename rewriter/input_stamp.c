#include "rewriter/input_stamp.h"

#include <sys/stat.h>

#include "base/hash_map.h"

uint64_t input_stamp(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    uint64_t parts[] = {(uint64_t)status.st_size, (uint64_t)status.st_mtim.tv_sec,
                        (uint64_t)status.st_mtim.tv_nsec};
    return hash_bytes(parts, sizeof parts) | 1;
}
