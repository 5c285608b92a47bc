#include "runtime/wait_device.h"

#include <errno.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/delay.h"

#define WAIT(type, class, call)                                                                    \
    uint64_t start = clock_now();                                                                  \
    delay_before_wait();                                                                           \
    type result = (call);                                                                          \
    int error = errno;                                                                             \
    delay_after_device(start, class);                                                              \
    errno = error;                                                                                 \
    return result

int wait_nanosleep(const struct timespec *time, struct timespec *left)
{
    WAIT(int, TRACE_WAIT_TIMER, nanosleep(time, left));
}

int wait_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left)
{
    WAIT(int, TRACE_WAIT_TIMER, clock_nanosleep(clock, flags, time, left));
}

int wait_usleep(useconds_t us)
{
    WAIT(int, TRACE_WAIT_TIMER, usleep(us));
}

unsigned wait_sleep(unsigned seconds)
{
    WAIT(unsigned, TRACE_WAIT_TIMER, sleep(seconds));
}

int wait_fsync(int fd)
{
    WAIT(int, TRACE_WAIT_DISK, fsync(fd));
}

int wait_fdatasync(int fd)
{
    WAIT(int, TRACE_WAIT_DISK, fdatasync(fd));
}

ssize_t wait_pread(int fd, void *buffer, size_t size, off_t offset)
{
    WAIT(ssize_t, TRACE_WAIT_DISK, pread(fd, buffer, size, offset));
}

ssize_t wait_pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
    WAIT(ssize_t, TRACE_WAIT_DISK, pwrite(fd, buffer, size, offset));
}
