/* wait_device.h - waits that no thread ends: a timer's, a disk's. In an experiment what is owed is waited for afterwards, and
 * they may be its target.
 */
#ifndef RUNTIME_WAIT_DEVICE_H
#define RUNTIME_WAIT_DEVICE_H

#include <sys/types.h>
#include <time.h>

/* The real calls, with their results and errno. */
int wait_nanosleep(const struct timespec *time, struct timespec *left);
int wait_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left);
int wait_usleep(useconds_t us);
unsigned wait_sleep(unsigned seconds);
int wait_fsync(int fd);
int wait_fdatasync(int fd);
ssize_t wait_pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t wait_pwrite(int fd, const void *buffer, size_t size, off_t offset);

#endif
