/* Pipes, eventfds and socket pairs: their calls are named by their place, and timed where opened. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define CLOSE_BOTH(fds) (close((fds)[0]), close((fds)[1]))
#define VIA(stream, fd) ((stream)->read(fd))

struct stream {
    int (*read)(int fd);
    ssize_t (*raw)(int, void *, size_t);
};

static char byte;

static int one(int fd)
{VPROF_FUNCTION(1)
    return (int)VPROF_SYNC3(7, fd_read, read, fd, &byte, 1);
}

static size_t size(void)
{VPROF_FUNCTION(2)
    return 1;
}

static int opened(int in, int out, const struct stream *stream)
{VPROF_FUNCTION(3)
    struct pollfd set = {in, POLLIN, 0};
    struct iovec part = {&byte, 1};
    int n = (int)__extension__({VPROF_FUNCTION(8) VPROF_SYNC3(8, fd_write, write, out, "ab" "cd", VPROF_RESTART(8, 3 + size()));});
    if (__extension__({VPROF_FUNCTION(10) VPROF_SYNC3(10, fd_poll, poll, &set, 1, 1000);}) == 1)
        n += (int)__extension__({VPROF_FUNCTION(11) VPROF_SYNC3(11, fd_readv, readv, in, &part, 1);});
    n += (int)__extension__({VPROF_FUNCTION(12) (read)(in, &byte, 1);});
    n += VIA(stream, in);
    return n + (int)__extension__({VPROF_FUNCTION(14) VPROF_TARGET(14, stream->raw)(in, &byte, VPROF_RESTART(14, size()));});
}

static int unopened(int *pair)
{VPROF_FUNCTION(4)
    return (int)send(pair[0], (const char[]){'x', 'y'}, 2, 0) + (int)VPROF_SYNC4(17, fd_recv, recv, pair[1], &byte, 1, 0);
}

/* An address may be of any of its kinds. */
static long addressed(int *pair)
{VPROF_FUNCTION(5)
    const struct timespec soon = {1, 0};
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    struct pollfd set = {pair[1], POLLIN, 0};
    long n = VPROF_SYNC6(18, fd_sendto, sendto, pair[0], "x", 1, 0, NULL, 0) + VPROF_SYNC4(19, fd_ppoll, ppoll, &set, 1, &soon, NULL);
    n += VPROF_SYNC6(20, fd_recvfrom, recvfrom, pair[1], &byte, 1, 0, &address, &length);
    return n + VPROF_SYNC3(21, fd_sendmsg, sendmsg, pair[0], &message, 0) + VPROF_SYNC3(22, fd_recvmsg, recvmsg, pair[1], &message, 0);
}

int main(void)
{VPROF_FUNCTION(6)
    const struct stream stream = {one, read};
    int fds[2], pair[2], event;
    eventfd_t value = 0;
    if (VPROF_SYNC1(23, fd_pipe, pipe, fds) != 0 || VPROF_SYNC4(24, fd_socketpair, socketpair, AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 1;
    printf("%d %d\n", opened(fds[0], fds[1], &stream), unopened(pair));
    printf("%ld\n", addressed(pair));
    event = VPROF_SYNC2(30, fd_event, eventfd, 0, EFD_CLOEXEC);
    if (VPROF_SYNC2(31, eventfd_write, eventfd_write, event, 7) != 0 || VPROF_SYNC2(32, eventfd_read, eventfd_read, event, &value) != 0)
        return 1;
    printf("%d %d\n", (int)value, CLOSE_BOTH(fds) + CLOSE_BOTH(pair) + VPROF_SYNC1(36, fd_close, close, event));
    return 0;
}
