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
{
    return (int)read(fd, &byte, 1);
}

static size_t size(void)
{
    return 1;
}

static int opened(int in, int out, const struct stream *stream)
{
    struct pollfd set = {in, POLLIN, 0};
    struct iovec part = {&byte, 1};
    int n = (int)write(out, "ab" "cd", 3 + size());
    if (poll(&set, 1, 1000) == 1)
        n += (int)readv(in, &part, 1);
    n += (int)(read)(in, &byte, 1);
    n += VIA(stream, in);
    return n + (int)stream->raw(in, &byte, size());
}

static int unopened(int *pair)
{
    return (int)send(pair[0], (const char[]){'x', 'y'}, 2, 0) + (int)recv(pair[1], &byte, 1, 0);
}

/* An address may be of any of its kinds. */
static long addressed(int *pair)
{
    const struct timespec soon = {1, 0};
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    struct pollfd set = {pair[1], POLLIN, 0};
    long n = sendto(pair[0], "x", 1, 0, NULL, 0) + ppoll(&set, 1, &soon, NULL);
    n += recvfrom(pair[1], &byte, 1, 0, &address, &length);
    return n + sendmsg(pair[0], &message, 0) + recvmsg(pair[1], &message, 0);
}

int main(void)
{
    const struct stream stream = {one, read};
    int fds[2], pair[2], event;
    eventfd_t value = 0;
    if (pipe(fds) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 1;
    printf("%d %d\n", opened(fds[0], fds[1], &stream), unopened(pair));
    printf("%ld\n", addressed(pair));
    event = eventfd(0, EFD_CLOEXEC);
    if (eventfd_write(event, 7) != 0 || eventfd_read(event, &value) != 0)
        return 1;
    printf("%d %d\n", (int)value, CLOSE_BOTH(fds) + CLOSE_BOTH(pair) + close(event));
    return 0;
}
