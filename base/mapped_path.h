/* mapped_path.h - a path as the kernel's maps of a process have it.
 *
 *     mapped_path_length("/srv/it (deleted)", 17)      7: "/srv/it", a file that is gone
 */
#ifndef BASE_MAPPED_PATH_H
#define BASE_MAPPED_PATH_H

#include <stddef.h>
#include <string.h>

/* Without what the kernel says behind the name. */
static inline size_t mapped_path_length(const char *path, size_t length)
{
    static const char gone[] = " (deleted)";
    size_t end = sizeof gone - 1;
    return length >= end && memcmp(path + length - end, gone, end) == 0 ? length - end : length;
}

#endif
