/* Pipes, eventfds and socket pairs: their calls are named by their place, and timed where opened. */
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
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
    return (int)VPROF_SYNC3(6, fd_read, read, fd, &byte, 1);
}

static size_t size(void)
{VPROF_FUNCTION(2)
    return 1;
}

static int opened(int in, int out, const struct stream *stream)
{VPROF_FUNCTION(3)
    struct pollfd set = {in, POLLIN, 0};
    struct iovec part = {&byte, 1};
    int n = (int)__extension__({VPROF_FUNCTION(7) VPROF_SYNC3(7, fd_write, write, out, "ab" "cd", VPROF_RESTART(7, 3 + size()));});
    if (__extension__({VPROF_FUNCTION(9) VPROF_SYNC3(9, fd_poll, poll, &set, 1, 1000);}) == 1)
        n += (int)__extension__({VPROF_FUNCTION(10) VPROF_SYNC3(10, fd_readv, readv, in, &part, 1);});
    n += (int)__extension__({VPROF_FUNCTION(11) (read)(in, &byte, 1);});
    n += VIA(stream, in);
    return n + (int)__extension__({VPROF_FUNCTION(13) VPROF_TARGET(13, stream->raw)(in, &byte, VPROF_RESTART(13, size()));});
}

static int unopened(int *pair)
{VPROF_FUNCTION(4)
    return (int)send(pair[0], (const char[]){'x', 'y'}, 2, 0) + (int)VPROF_SYNC4(16, fd_recv, recv, pair[1], &byte, 1, 0);
}

int main(void)
{VPROF_FUNCTION(5)
    const struct stream stream = {one, read};
    int fds[2], pair[2], event;
    eventfd_t value = 0;
    if (VPROF_SYNC1(17, fd_pipe, pipe, fds) != 0 || VPROF_SYNC4(18, fd_socketpair, socketpair, AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 1;
    printf("%d %d\n", opened(fds[0], fds[1], &stream), unopened(pair));
    event = VPROF_SYNC2(22, fd_event, eventfd, 0, EFD_CLOEXEC);
    if (VPROF_SYNC2(23, eventfd_write, eventfd_write, event, 7) != 0 || VPROF_SYNC2(24, eventfd_read, eventfd_read, event, &value) != 0)
        return 1;
    printf("%d %d\n", (int)value, CLOSE_BOTH(fds) + CLOSE_BOTH(pair) + VPROF_SYNC1(28, fd_close, close, event));
    return 0;
}
