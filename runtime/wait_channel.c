#include "runtime/wait_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/readable.h"
#include "runtime/system.h"
#include "runtime/wait.h"

int wait_pipe(unsigned site, int *fds)
{
    (void)site;
    int rc = pipe(fds);
    if (rc == 0)
        channel_add_pipe(fds);
    return rc;
}

int wait_pipe2(unsigned site, int *fds, int flags)
{
    (void)site;
    int rc = pipe2(fds, flags);
    if (rc == 0)
        channel_add_pipe(fds);
    return rc;
}

int wait_eventfd(unsigned site, unsigned count, int flags)
{
    (void)site;
    int fd = eventfd(count, flags);
    if (fd >= 0)
        channel_add_eventfd(fd);
    return fd;
}

int wait_socketpair(unsigned site, int domain, int type, int protocol, int *fds)
{
    (void)site;
    int rc = socketpair(domain, type, protocol, fds);
    if (rc == 0)
        channel_add_socket_pair(fds, type);
    return rc;
}

static unsigned cap(uint64_t amount, unsigned most)
{
    return amount < most ? (unsigned)amount : most;
}

/* Threads that wait for `object` go on. */
static void release(unsigned site, int fd, uint64_t object, unsigned operation, unsigned mode,
                    uint64_t amount)
{
    if (object && waiters_any_of_channel(object) && channel_is(fd, object))
        wait_record_release(site, object, operation, mode, cap(amount, UINT32_MAX));
}

static void release_closed(unsigned site, int fd, uint64_t object, unsigned operation)
{
    if (object)
        delay_before_release(object);
    release(site, fd, object, operation, TRACE_RELEASE_CLOSE, 1);
}

/* All copies of the descriptor are shut down: who reads or writes by it goes on, too. */
int wait_shutdown(unsigned site, int fd, int how)
{
    uint64_t reading = how == SHUT_RD || how == SHUT_RDWR ? channel_read(fd) : 0;
    uint64_t writing = how == SHUT_WR || how == SHUT_RDWR ? channel_write(fd) : 0;
    release_closed(site, fd, writing, TRACE_OP_CHANNEL);
    release_closed(site, fd, writing, TRACE_OP_CHANNEL_ROOM);
    release_closed(site, fd, reading, TRACE_OP_CHANNEL);
    release_closed(site, fd, reading, TRACE_OP_CHANNEL_ROOM);
    return shutdown(fd, how);
}

/* The last descriptor of an end wakes all at the other. Which one is the last is not known here. */
int wait_close(unsigned site, int fd)
{
    release_closed(site, fd, channel_write(fd), TRACE_OP_CHANNEL);
    release_closed(site, fd, channel_read(fd), TRACE_OP_CHANNEL_ROOM);
    channel_forget(fd);
    return close(fd);
}

/* A transfer is a call that reads or writes. */
struct transfer {
    struct wait wait;
    int fd;
    const void *buffer; /* NULL: parts of one */
    unsigned long size;
    int flags;
    bool waits;
    bool ready;  /* for some of it at least */
    long sleeps; /* of the thread until then */
};

/* The call is a poll without a wait, and no cancellation point. */
static long poll_now(struct pollfd *set, unsigned long count)
{
    struct timespec now = {0, 0};
    return syscall(SYS_ppoll, set, count, &now, NULL, 8);
}

static bool reads(const struct transfer *t)
{
    return t->wait.operation == TRACE_OP_CHANNEL;
}

static uint64_t amount_of(const struct transfer *t, unsigned long bytes)
{
    uint64_t count = 1;
    enum channel_unit unit = channel_unit(t->wait.object);
    if (unit == CHANNEL_UNIT_BYTE)
        return bytes;
    if (unit == CHANNEL_UNIT_COUNT && bytes >= sizeof count && t->buffer &&
        (reads(t) || readable(t->buffer, sizeof count))) /* what was read has been put there */
        memcpy(&count, t->buffer, sizeof count);
    return count;
}

/* A write calls this before it begins, and so does a read that makes room. A write of nothing lets
 * nobody go on. */
static void transfer_release(const struct transfer *t)
{
    unsigned frees = reads(t) ? TRACE_OP_CHANNEL_ROOM : TRACE_OP_CHANNEL;
    delay_before_release(t->wait.object);
    if (!waiters_any_of_channel(t->wait.object))
        return;
    uint64_t amount = reads(t) ? 1 : amount_of(t, t->size);
    if (amount > 0)
        release(t->wait.site, t->fd, t->wait.object, frees, TRACE_RELEASE_ONE, amount);
}

/* A pipe that has room has it for PIPE_BUF bytes. */
static void transfer_begin(struct transfer *t)
{
    struct pollfd p = {t->fd, reads(t) ? POLLIN : POLLOUT, 0};
    transfer_release(t);
    if (t->flags & MSG_DONTWAIT)
        return;
    t->ready = poll_now(&p, 1) > 0;
    if (t->ready && (reads(t) ? !(t->flags & MSG_WAITALL) : t->size <= PIPE_BUF))
        return;
    t->sleeps = t->ready ? system_sleeps() : 0;
    t->waits = true;
    wait_begin(&t->wait);
}

/* The kernel is asked with errno kept. */
static bool has_waited(const struct transfer *t)
{
    int error = errno;
    long flags = syscall(SYS_fcntl, t->fd, F_GETFL);
    bool slept = !t->ready || system_sleeps() != t->sleeps;
    errno = error;
    return flags >= 0 && !(flags & O_NONBLOCK) && slept;
}

/* Bytes that were read are no longer there for those who wait for them: that is told also where
 * there was no wait. */
static void transfer_end(void *transfer)
{
    struct transfer *t = transfer;
    uint64_t end = clock_now();
    bool waited = t->waits && wait_was_long(&t->wait, end) && has_waited(t);
    if (t->waits)
        waiters_remove(t->wait.object);
    bool took =
        reads(t) && t->wait.ending == TRACE_ENDING_TOOK && waiters_any_of_channel(t->wait.object);
    if (waited && t->wait.ending != TRACE_ENDING_GAVE_UP)
        delay_after_wait(t->wait.start, t->wait.object, DELAY_BY_THREAD);
    else
        delay_after_no_wait();
    if ((!waited && !took) || !channel_is(t->fd, t->wait.object))
        return;
    if (waited)
        wait_record_block(&t->wait, end);
    else
        wait_record_taking(t->wait);
}

static bool is_hung_up(const struct transfer *t)
{
    struct pollfd p = {t->fd, reads(t) ? POLLRDHUP : 0, 0}; /* and POLLHUP and POLLERR */
    int error = errno;
    bool hung_up = poll_now(&p, 1) > 0;
    errno = error;
    return hung_up;
}

/* The call read nothing, or wrote fewer bytes than it was given. */
static bool is_partial(const struct transfer *t, long bytes)
{
    enum channel_unit unit = channel_unit(t->wait.object);
    if (reads(t))
        return bytes == 0;
    return unit == CHANNEL_UNIT_BYTE && t->size != ULONG_MAX && (unsigned long)bytes < t->size;
}

/* `bytes` is what the call says, or -1. A message may have none; a write that waited ends before
 * all is written where the other end is closed, or by a signal. */
static unsigned ending_of(const struct transfer *t, long bytes)
{
    bool message = channel_unit(t->wait.object) == CHANNEL_UNIT_MESSAGE;
    if (bytes < 0)
        return errno == EPIPE || errno == ECONNRESET ? TRACE_ENDING_CLOSED : TRACE_ENDING_GAVE_UP;
    if (is_partial(t, bytes) && t->waits && is_hung_up(t))
        return TRACE_ENDING_CLOSED;
    if (is_partial(t, bytes) && !(reads(t) && message))
        return TRACE_ENDING_GAVE_UP;
    return t->flags & MSG_PEEK ? TRACE_ENDING_LEFT_SOME : TRACE_ENDING_TOOK;
}

static void transfer_done(struct transfer *t, long bytes)
{
    t->wait.ending = ending_of(t, bytes);
    if (bytes >= 0 && reads(t))
        t->wait.amount = cap(amount_of(t, (unsigned long)bytes), UINT16_MAX);
}

/* A call that is shorter is not looked into. One that is longer may have worked all the time, as what
 * sends to a socket of the same machine does. */
#define APART_LONG_NS UINT64_C(10000)

struct apart {
    uint64_t start;
    long sleeps; /* of the thread until then */
};

#define PARTS_MAX 256 /* on two pages at the most */

static unsigned long size_of_parts(const struct iovec *parts, int count)
{
    unsigned long size = 0;
    if (count <= 0)
        return 0;
    if (count > PARTS_MAX || !readable(parts, (unsigned long)count * sizeof *parts))
        return ULONG_MAX;
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

static unsigned long size_of_message(const struct msghdr *message)
{
    if (!readable(message, sizeof *message) || message->msg_iovlen > PARTS_MAX)
        return ULONG_MAX;
    return size_of_parts(message->msg_iov, (int)message->msg_iovlen);
}

/* eventfd_read and eventfd_write say 0 for a number's bytes. */
#define BYTES_long(result) (result)
#define BYTES_int(result) ((result) == 0 ? 8 : -1)

static bool is_socket(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode);
}

/* What is written may be seen at once. */
static struct apart apart_begin(bool reads)
{
    if (!reads)
        delay_pay();
    delay_before_wait();
    return (struct apart){clock_now(), system_sleeps()};
}

/* A file's bytes may come from a disk. */
static void apart_end(struct apart apart, int fd)
{
    int error = errno;
    bool waited =
        clock_ns(clock_now() - apart.start) > APART_LONG_NS && system_sleeps() != apart.sleeps;
    if (waited && is_socket(fd))
        delay_after_wait(apart.start, 0, DELAY_BY_SOCKET);
    else if (waited)
        delay_after_device(apart.start, TRACE_WAIT_DISK);
    else
        delay_after_no_wait();
    errno = error;
}

/* Each call is two functions: one for what is a channel and, for all else, one whose last act is
 * the real call, as it is on the way of every read and write of a server. In an experiment there is
 * a third. */
#define TRANSFER(type, name, channel, needs, buffer, size, flags, call, parameters, arguments)     \
    static __attribute__((noinline)) type name##_apart parameters                                  \
    {                                                                                              \
        struct apart apart = apart_begin((needs) == TRACE_OP_CHANNEL);                             \
        (void)site;                                                                                \
        type result = (call);                                                                      \
        apart_end(apart, fd);                                                                      \
        return result;                                                                             \
    }                                                                                              \
    static __attribute__((noinline)) type name##_channel parameters                                \
    {                                                                                              \
        struct transfer t = {{site, needs, channel, 0, TRACE_ENDING_GAVE_UP, 1},                   \
                             fd,                                                                   \
                             buffer,                                                               \
                             size,                                                                 \
                             flags,                                                                \
                             false,                                                                \
                             false,                                                                \
                             0};                                                                   \
        type result;                                                                               \
        transfer_begin(&t);                                                                        \
        pthread_cleanup_push(transfer_end, &t);                                                    \
        result = (call);                                                                           \
        transfer_done(&t, BYTES_##type(result));                                                   \
        pthread_cleanup_pop(1);                                                                    \
        return result;                                                                             \
    }                                                                                              \
    type name parameters                                                                           \
    {                                                                                              \
        if (__builtin_expect(channel != 0, 0))                                                     \
            return name##_channel arguments;                                                       \
        if (delay_is_on())                                                                         \
            return name##_apart arguments;                                                         \
        return (call);                                                                             \
    }
#define READ(type, name, buffer, flags, call, parameters, arguments)                               \
    TRANSFER(type, name, channel_read(fd), TRACE_OP_CHANNEL, buffer, 0, flags, call, parameters,   \
             arguments)
#define WRITE(type, name, buffer, size, flags, call, parameters, arguments)                        \
    TRANSFER(type, name, channel_write(fd), TRACE_OP_CHANNEL_ROOM, buffer, size, flags, call,      \
             parameters, arguments)

READ(long, wait_read, buffer, 0, read(fd, buffer, size),
     (unsigned site, int fd, void *buffer, unsigned long size), (site, fd, buffer, size))
READ(long, wait_readv, NULL, 0, readv(fd, parts, count),
     (unsigned site, int fd, const void *parts, int count), (site, fd, parts, count))
READ(long, wait_recv, buffer, flags, recv(fd, buffer, size, flags),
     (unsigned site, int fd, void *buffer, unsigned long size, int flags),
     (site, fd, buffer, size, flags))
READ(long, wait_recvfrom, buffer, flags, recvfrom(fd, buffer, size, flags, address, length),
     (unsigned site, int fd, void *buffer, unsigned long size, int flags, void *address,
      unsigned *length),
     (site, fd, buffer, size, flags, address, length))
READ(long, wait_recvmsg, NULL, flags, recvmsg(fd, message, flags),
     (unsigned site, int fd, void *message, int flags), (site, fd, message, flags))
READ(int, wait_eventfd_read, value, 0, eventfd_read(fd, value),
     (unsigned site, int fd, void *value), (site, fd, value))
WRITE(long, wait_write, buffer, size, 0, write(fd, buffer, size),
      (unsigned site, int fd, const void *buffer, unsigned long size), (site, fd, buffer, size))
WRITE(long, wait_writev, NULL, size_of_parts(parts, count), 0, writev(fd, parts, count),
      (unsigned site, int fd, const void *parts, int count), (site, fd, parts, count))
WRITE(long, wait_send, buffer, size, flags, send(fd, buffer, size, flags),
      (unsigned site, int fd, const void *buffer, unsigned long size, int flags),
      (site, fd, buffer, size, flags))
WRITE(long, wait_sendto, buffer, size, flags, sendto(fd, buffer, size, flags, address, length),
      (unsigned site, int fd, const void *buffer, unsigned long size, int flags,
       const void *address, unsigned length),
      (site, fd, buffer, size, flags, address, length))
WRITE(long, wait_sendmsg, NULL, size_of_message(message), flags, sendmsg(fd, message, flags),
      (unsigned site, int fd, const void *message, int flags), (site, fd, message, flags))
WRITE(int, wait_eventfd_write, &value, sizeof value, 0, eventfd_write(fd, value),
      (unsigned site, int fd, unsigned long value), (site, fd, value))
