#include "runtime/wait_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/channel.h"
#include "runtime/clock.h"
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

/* Let those go on that wait for `object`. */
static void release(unsigned site, int fd, uint64_t object, unsigned operation, unsigned mode,
                    uint64_t amount)
{
    if (object && waiters_any(object) && channel_is(fd, object))
        wait_record_release(site, object, operation, mode, cap(amount, UINT32_MAX));
}

static void release_closed(unsigned site, int fd, uint64_t object, unsigned operation)
{
    release(site, fd, object, operation, TRACE_RELEASE_CLOSE, 1);
}

/* Of all copies of the descriptor: who reads or writes by it goes on, too. */
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

/* A call that reads or writes. */
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

/* poll, without a wait and no cancellation point. */
static long poll_now(struct pollfd *set, unsigned long count)
{
    struct timespec now = {0, 0};
    return syscall(SYS_ppoll, set, count, &now, NULL, 8);
}

/* How often the thread gave its processor away to wait for something. */
static long count_sleeps(void)
{
    struct rusage use = {0};
    syscall(SYS_getrusage, RUSAGE_THREAD, &use);
    return use.ru_nvcsw;
}

static bool can_read(const void *memory, unsigned long size)
{
    int error = errno;
    bool can = system_can_read(memory, size);
    errno = error;
    return can;
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
        (reads(t) || can_read(t->buffer, sizeof count))) /* what was read has been put there */
        memcpy(&count, t->buffer, sizeof count);
    return count;
}

/* Before a write, or before a read that makes room. A write of nothing lets nobody go on. */
static void transfer_release(const struct transfer *t)
{
    unsigned frees = reads(t) ? TRACE_OP_CHANNEL_ROOM : TRACE_OP_CHANNEL;
    if (!waiters_any(t->wait.object))
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
    t->sleeps = t->ready ? count_sleeps() : 0;
    t->waits = true;
    wait_begin(&t->wait);
}

/* errno is kept. */
static bool has_waited(const struct transfer *t)
{
    int error = errno;
    long flags = syscall(SYS_fcntl, t->fd, F_GETFL);
    bool slept = !t->ready || count_sleeps() != t->sleeps;
    errno = error;
    return flags >= 0 && !(flags & O_NONBLOCK) && slept;
}

/* What was read is no longer there for those who wait for it: told also where there was no wait. */
static void transfer_end(void *transfer)
{
    struct transfer *t = transfer;
    uint64_t end = clock_now();
    bool waited = t->waits && wait_was_long(&t->wait, end) && has_waited(t);
    if (t->waits)
        waiters_remove(t->wait.object);
    bool took = reads(t) && t->wait.ending == TRACE_ENDING_TOOK && waiters_any(t->wait.object);
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

/* A read of nothing, or a write of bytes that ended before all were written. */
static bool is_partial(const struct transfer *t, long bytes)
{
    enum channel_unit unit = channel_unit(t->wait.object);
    if (reads(t))
        return bytes == 0;
    return unit == CHANNEL_UNIT_BYTE && t->size != ULONG_MAX && (unsigned long)bytes < t->size;
}

/* `bytes`: what the call says, or -1. A message may have none; a write that waited ends before all
 * is written where the other end is closed, or by a signal. */
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

#define PARTS_MAX 256 /* on two pages at the most */

static unsigned long size_of_parts(const struct iovec *parts, int count)
{
    unsigned long size = 0;
    if (count <= 0)
        return 0;
    if (count > PARTS_MAX || !can_read(parts, (unsigned long)count * sizeof *parts))
        return ULONG_MAX;
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

static unsigned long size_of_message(const struct msghdr *message)
{
    if (!can_read(message, sizeof *message) || message->msg_iovlen > PARTS_MAX)
        return ULONG_MAX;
    return size_of_parts(message->msg_iov, (int)message->msg_iovlen);
}

/* eventfd_read and eventfd_write say 0 for a number's bytes. */
#define BYTES_long(result) (result)
#define BYTES_int(result) ((result) == 0 ? 8 : -1)

/* A function for what is a channel and, as a call in the last place, the real call for all else: on
 * the way of every read and write of a server. */
#define TRANSFER(type, name, channel, needs, buffer, size, flags, call, parameters, arguments)     \
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

/* What ended the wait for a descriptor of a poll, and how; 0: it is no channel. */
static uint64_t polled(const struct pollfd *p, short events, unsigned *operation)
{
    bool reads = channel_read(p->fd) && (events & ~(POLLOUT | POLLWRNORM));
    *operation = reads ? TRACE_OP_CHANNEL : TRACE_OP_CHANNEL_ROOM;
    return reads ? channel_read(p->fd) : channel_write(p->fd);
}

struct poll_wait {
    struct pollfd *set;
    unsigned long count;
    unsigned site;
    uint64_t start;
    bool precise; /* ppoll, not poll */
    int timeout_ms;
    const struct timespec *timeout;
    const sigset_t *signals;
};

static int poll_call(const struct poll_wait *p)
{
    return p->precise ? ppoll(p->set, p->count, p->timeout, p->signals)
                      : poll(p->set, p->count, p->timeout_ms);
}

/* Whatever was asked for, the other end's close ends the wait, too. */
static void poll_count(const struct poll_wait *p, void (*count)(uintptr_t object))
{
    for (unsigned long i = 0; i < p->count; i++) {
        const struct pollfd *one = &p->set[i];
        if (channel_read(one->fd))
            count(channel_read(one->fd));
        if (channel_write(one->fd))
            count(channel_write(one->fd));
    }
}

static bool any_channel(const struct pollfd *set, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        if (channel_read(set[i].fd) || channel_write(set[i].fd))
            return true;
    return false;
}

static void poll_left(void *p)
{
    poll_count(p, waiters_remove);
}

/* Who waits in a poll takes nothing. */
static unsigned polled_ending(const struct pollfd *p, unsigned operation)
{
    int bytes = 0;
    if (!(p->revents & (POLLHUP | POLLERR | POLLRDHUP)))
        return TRACE_ENDING_LEFT_SOME;
    if (operation == TRACE_OP_CHANNEL && ioctl(p->fd, FIONREAD, &bytes) == 0 && bytes > 0)
        return TRACE_ENDING_LEFT_SOME;
    return TRACE_ENDING_CLOSED;
}

static bool poll_record_one(const struct poll_wait *p, const struct pollfd *one, short events,
                            unsigned ending, uint64_t end)
{
    struct wait w = {p->site, 0, 0, p->start, ending, 1};
    w.object = polled(one, events, &w.operation);
    if (!w.object || !wait_was_long(&w, end) || !channel_is(one->fd, w.object))
        return false;
    if (ending != TRACE_ENDING_GAVE_UP)
        w.ending = polled_ending(one, w.operation);
    wait_record_block(&w, end);
    return true;
}

/* The first one that is ready ended it. Where none is, all of its channels were waited for, and the
 * first one stands for them. */
static void poll_record(const struct poll_wait *p, uint64_t end, bool ready)
{
    unsigned long i = 0;
    while (ready && i < p->count && !p->set[i].revents)
        i++;
    if (ready && i < p->count)
        poll_record_one(p, &p->set[i], p->set[i].revents, TRACE_ENDING_LEFT_SOME, end);
    while (!ready && i < p->count &&
           !poll_record_one(p, &p->set[i], p->set[i].events, TRACE_ENDING_GAVE_UP, end))
        i++;
}

static int poll_channels(struct poll_wait *p)
{
    int ready;
    pthread_testcancel();
    ready = (int)poll_now(p->set, p->count); /* also says whether the set can be read */
    if (ready > 0)
        return ready;
    if (ready < 0 || !any_channel(p->set, p->count))
        return poll_call(p);
    poll_count(p, waiters_add);
    p->start = clock_now();
    pthread_cleanup_push(poll_left, p);
    ready = poll_call(p);
    pthread_cleanup_pop(1);
    uint64_t end = clock_now();
    int error = errno;
    poll_record(p, end, ready > 0);
    errno = error;
    return ready;
}

int wait_poll(unsigned site, void *set, unsigned long count, int timeout_ms)
{
    struct poll_wait p = {.set = set, .count = count, .site = site, .timeout_ms = timeout_ms};
    return timeout_ms == 0 || !channel_any() ? poll_call(&p) : poll_channels(&p);
}

/* What can't be read is left to the real call. */
static bool can_wait(const struct timespec *timeout)
{
    return !timeout ||
           (can_read(timeout, sizeof *timeout) && (timeout->tv_sec || timeout->tv_nsec));
}

int wait_ppoll(unsigned site, void *set, unsigned long count, const void *timeout,
               const void *signals)
{
    struct poll_wait p = {.set = set,
                          .count = count,
                          .site = site,
                          .precise = true,
                          .timeout = timeout,
                          .signals = signals};
    return channel_any() && can_wait(timeout) ? poll_channels(&p) : poll_call(&p);
}
