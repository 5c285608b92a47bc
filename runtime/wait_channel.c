#include "runtime/wait_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
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
        channel_add_socket_pair(fds);
    return rc;
}

/* Let those go on that wait for `object`. */
static void release(unsigned site, int fd, uint64_t object, unsigned operation, unsigned mode)
{
    if (object && waiters_any(object) && channel_is(fd, object))
        wait_record_release(site, object, operation, mode);
}

/* The last descriptor of an end wakes all at the other. */
int wait_close(unsigned site, int fd)
{
    release(site, fd, channel_write(fd), TRACE_OP_CHANNEL, TRACE_RELEASE_BROADCAST);
    release(site, fd, channel_read(fd), TRACE_OP_CHANNEL_ROOM, TRACE_RELEASE_BROADCAST);
    channel_forget(fd);
    return close(fd);
}

struct transfer {
    struct wait wait;
    int fd;
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

/* A pipe that has room has it for PIPE_BUF bytes. */
static bool transfer_begin(struct transfer *t, unsigned frees, unsigned long size, int flags)
{
    bool reads = t->wait.operation == TRACE_OP_CHANNEL;
    struct pollfd p = {t->fd, reads ? POLLIN : POLLOUT, 0};
    release(t->wait.site, t->fd, t->wait.object, frees, TRACE_RELEASE_ONE);
    if (flags & MSG_DONTWAIT)
        return false;
    t->ready = poll_now(&p, 1) > 0;
    if (t->ready && (reads ? !(flags & MSG_WAITALL) : size <= PIPE_BUF))
        return false;
    t->sleeps = t->ready ? count_sleeps() : 0;
    wait_begin(&t->wait);
    return true;
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

static void transfer_end(void *transfer)
{
    struct transfer *t = transfer;
    uint64_t end = clock_now();
    waiters_remove(t->wait.object);
    if (wait_was_long(&t->wait, end) && has_waited(t) && channel_is(t->fd, t->wait.object))
        wait_record_block(&t->wait, end);
}

/* A function for what is a channel and, as a call in the last place, the real call for all else: on
 * the way of every read and write of a server. */
#define TRANSFER(type, name, channel, needs, frees, size, flags, call, parameters, arguments)      \
    static __attribute__((noinline)) type name##_channel parameters                                \
    {                                                                                              \
        struct transfer t = {{site, needs, channel, 0, 0}, fd, false, 0};                          \
        type result;                                                                               \
        if (!t.wait.object || !transfer_begin(&t, frees, size, flags))                             \
            return (call);                                                                         \
        pthread_cleanup_push(transfer_end, &t);                                                    \
        result = (call);                                                                           \
        pthread_cleanup_pop(1);                                                                    \
        return result;                                                                             \
    }                                                                                              \
    type name parameters                                                                           \
    {                                                                                              \
        if (__builtin_expect(channel != 0, 0))                                                     \
            return name##_channel arguments;                                                       \
        return (call);                                                                             \
    }
#define READ(type, name, flags, call, parameters, arguments)                                       \
    TRANSFER(type, name, channel_read(fd), TRACE_OP_CHANNEL, TRACE_OP_CHANNEL_ROOM, 0, flags,      \
             call, parameters, arguments)
#define WRITE(type, name, size, flags, call, parameters, arguments)                                \
    TRANSFER(type, name, channel_write(fd), TRACE_OP_CHANNEL_ROOM, TRACE_OP_CHANNEL, size, flags,  \
             call, parameters, arguments)

READ(long, wait_read, 0, read(fd, buffer, size),
     (unsigned site, int fd, void *buffer, unsigned long size), (site, fd, buffer, size))
READ(long, wait_readv, 0, readv(fd, parts, count),
     (unsigned site, int fd, const void *parts, int count), (site, fd, parts, count))
READ(long, wait_recv, flags, recv(fd, buffer, size, flags),
     (unsigned site, int fd, void *buffer, unsigned long size, int flags),
     (site, fd, buffer, size, flags))
READ(int, wait_eventfd_read, 0, eventfd_read(fd, value), (unsigned site, int fd, void *value),
     (site, fd, value))
WRITE(long, wait_write, size, 0, write(fd, buffer, size),
      (unsigned site, int fd, const void *buffer, unsigned long size), (site, fd, buffer, size))
WRITE(long, wait_writev, ULONG_MAX, 0, writev(fd, parts, count),
      (unsigned site, int fd, const void *parts, int count), (site, fd, parts, count))
WRITE(long, wait_send, size, flags, send(fd, buffer, size, flags),
      (unsigned site, int fd, const void *buffer, unsigned long size, int flags),
      (site, fd, buffer, size, flags))
WRITE(int, wait_eventfd_write, sizeof value, 0, eventfd_write(fd, value),
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
};

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

static void poll_record(const struct poll_wait *p, uint64_t end)
{
    for (unsigned long i = 0; i < p->count; i++) {
        struct wait w = {p->site, 0, 0, p->start, 0};
        if (!p->set[i].revents)
            continue;
        w.object = polled(&p->set[i], p->set[i].revents, &w.operation);
        if (w.object && wait_was_long(&w, end) && channel_is(p->set[i].fd, w.object))
            wait_record_block(&w, end);
        return;
    }
}

int wait_poll(unsigned site, void *set, unsigned long count, int timeout_ms)
{
    if (timeout_ms == 0 || !channel_any())
        return poll(set, count, timeout_ms);
    struct poll_wait p = {set, count, site, 0};
    pthread_testcancel();
    int ready = (int)poll_now(set, count); /* also says whether the set can be read */
    if (ready > 0)
        return ready;
    if (ready < 0 || !any_channel(set, count))
        return poll(set, count, timeout_ms);
    poll_count(&p, waiters_add);
    p.start = clock_now();
    pthread_cleanup_push(poll_left, &p);
    ready = poll(set, count, timeout_ms);
    pthread_cleanup_pop(1);
    uint64_t end = clock_now();
    if (ready > 0)
        poll_record(&p, end);
    return ready;
}
