/* system.h - the system as the runtime may use it in the middle of someone else's function.
 *
 * libc's open, read and the like are cancellation points: a thread with a pending pthread_cancel
 * would end inside a probe. These wrappers are not. They set errno; whoever calls them on a probe's
 * way saves and restores it. All are signal-safe.
 */
#ifndef RUNTIME_SYSTEM_H
#define RUNTIME_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__) && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define SYSTEM_KNOWS_THREADS 1
#endif

/* So often the calling thread gave its processor away to wait for something, as the kernel counts. */
static inline long system_sleeps(void)
{
    struct rusage use = {0};
    syscall(SYS_getrusage, RUSAGE_THREAD, &use);
    return use.ru_nvcsw;
}

static inline long system_close(int fd)
{
    return syscall(SYS_close, fd);
}

/* The descriptor gets another number, `least` or above, and the old one is closed. -1: there is
 * none. */
static inline long system_move(long fd, int least)
{
    long moved = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
    int error = errno;
    system_close((int)fd);
    errno = error;
    return moved;
}

/* The descriptor's number becomes one that is far from those that the program expects for its own files. It stays as it
 * is where there is none. */
static inline long system_move_high(long fd)
{
    enum { USUAL_LIMIT = 1024, BELOW_TOP = 32 }; /* of descriptors; ours is that much below */
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_NOFILE, &limit);
    int top = limit.rlim_cur < USUAL_LIMIT ? (int)limit.rlim_cur : USUAL_LIMIT;
    long high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC,
                        top > 2 * BELOW_TOP ? top - BELOW_TOP : top - top / 4);
    if (high < 0)
        return fd;
    system_close((int)fd);
    return high;
}

/* The descriptor is never 0, 1 or 2: where the program has closed one of these, what it prints
 * would go there. */
static inline long system_open(const char *path, int flags, unsigned mode)
{
    long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
    return fd >= 0 && fd <= STDERR_FILENO ? system_move(fd, STDERR_FILENO + 1) : fd;
}

static inline long system_read(int fd, void *buffer, size_t size)
{
    return syscall(SYS_read, fd, buffer, size);
}

static inline long system_read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
    return syscall(SYS_pread64, fd, buffer, size, offset);
}

static inline long system_write_at(int fd, const void *data, size_t size, uint64_t offset)
{
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

/* The kernel takes up to 1,024 parts. */
static inline long system_write_parts_at(int fd, const struct iovec *parts, unsigned count,
                                         uint64_t offset)
{
    return syscall(SYS_pwritev, fd, parts, count, (unsigned long)offset, 0ul);
}

static inline long system_allocate(int fd, uint64_t offset, uint64_t size)
{
    return syscall(SYS_fallocate, fd, 0, offset, size);
}

/* Blocks are allocated beyond the file's end, which stays where it is. */
static inline long system_allocate_ahead(int fd, uint64_t offset, uint64_t size)
{
    return syscall(SYS_fallocate, fd, 1 /* KEEP_SIZE */, offset, size);
}

/* The blocks of a range are given back; its bytes read as zeros. */
static inline long system_punch(int fd, uint64_t offset, uint64_t size)
{
    return syscall(SYS_fallocate, fd, 3 /* KEEP_SIZE, PUNCH_HOLE */, offset, size);
}

/* The kernel is asked, never the vDSO, as clock_gettime() does. */
static inline long system_clock_monotonic(struct timespec *time)
{
    return syscall(SYS_clock_gettime, CLOCK_MONOTONIC, time);
}

static inline uint32_t system_thread_id(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

/* The name has 16 bytes, and ends with a zero. */
static inline void system_thread_name(char *name)
{
    syscall(SYS_prctl, 16 /* PR_GET_NAME */, name, 0ul, 0ul, 0ul);
}

/* No other thread was ever made in this process. The result is false where the libc does not tell.
 */
static inline bool system_is_single_threaded(void)
{
#ifdef SYSTEM_KNOWS_THREADS
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

#endif
