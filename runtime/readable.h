/* readable.h - what a program points to may not be there: then it is left to the real call.
 *
 *     if (readable(timeout, sizeof *timeout)) ...
 *
 * Signal-safe; errno is kept.
 */
#ifndef RUNTIME_READABLE_H
#define RUNTIME_READABLE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The `size` bytes, which lie on two pages at the most, can be read. The kernel looks at a set of
 * signals before it refuses what is to be done with it; none at all is fine with it. */
static inline bool readable(const void *bytes, size_t size)
{
    const uintptr_t first = (uintptr_t)bytes & -(uintptr_t)8;
    const uintptr_t last = ((uintptr_t)bytes + size - 1) & -(uintptr_t)8;
    int error = errno;
    bool can = first && (syscall(SYS_rt_sigprocmask, -1, first, NULL, 8) == 0 || errno != EFAULT) &&
               (syscall(SYS_rt_sigprocmask, -1, last, NULL, 8) == 0 || errno != EFAULT);
    errno = error;
    return can;
}

#endif
