/* channels.c: each way to wait for a pipe, an eventfd or a socket pair blocks once, and the main
 * thread knows that it does before it lets it go on; then a child waits for its parent. Prints the
 * name, operation and object of each, as the trace should have them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "await.h"
#include "check.h"

enum { PIPES = 6, FULL = 4, CLOSED = 5 };
static int pipes[PIPES][2], sockets[2], datagrams[2], crowded[2], roomy[2], events[2], waiting;
static char byte;

static unsigned long inode(int fd)
{
    struct stat s;
    CHECK(fstat(fd, &s) == 0);
    return s.st_ino;
}

static unsigned long object(unsigned long kind, unsigned long which)
{
    return 0x4348ul << 48 | kind << 40 | (which << 3 & ((1ul << 40) - 1));
}

static unsigned long pipe_object(int i)
{
    return object(1, inode(pipes[i][0]));
}

/* The n-th eventfd that this process made, from 1. */
static unsigned long event_object(int n)
{
    return object(2, (unsigned long)getpid() << 14 | (unsigned long)n);
}

static void transfer(ssize_t (*call)(int, const struct iovec *, int), int fd)
{
    struct iovec part = {&byte, 1};
    CHECK(call(fd, &part, 1) == 1);
}

static void poll_one(int fd)
{
    struct pollfd set[] = {{events[1], POLLIN, 0}, {fd, POLLIN, 0}};
    CHECK(poll(set, 2, 100000) == 1 && set[1].revents == POLLIN);
    CHECK(read(fd, &byte, 1) == 1);
}

/* One of two bytes is there. */
static void receive_both(int fd)
{
    char both[2];
    CHECK(recv(fd, both, 2, MSG_WAITALL) == 2);
}

/* There is room, but not for all of it. */
static char much[1 << 20];

static void write_much(int fd)
{
    CHECK(write(fd, much, sizeof much) == sizeof much);
}

static void read_much(int fd)
{
    CHECK(recv(fd, much, sizeof much, MSG_WAITALL) == sizeof much);
}

static struct iovec part_of_message = {&byte, 1};

static void receive_message(int fd)
{
    struct msghdr message = {.msg_iov = &part_of_message, .msg_iovlen = 1};
    CHECK(recvmsg(fd, &message, 0) == 1);
}

static void send_message(int fd)
{
    struct msghdr message = {.msg_iov = &part_of_message, .msg_iovlen = 1};
    CHECK(sendmsg(fd, &message, 0) == 1);
}

static void receive_from(int fd)
{
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    CHECK(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1);
}

static void poll_precisely(int fd)
{
    const struct timespec none = {0, 0}, most = {100, 0};
    struct pollfd one = {fd, POLLIN, 0};
    sigset_t signals;
    CHECK(sigemptyset(&signals) == 0 && ppoll(&one, 1, &none, &signals) == 0);
    CHECK(ppoll(&one, 1, &most, &signals) == 1 && read(fd, &byte, 1) == 1);
}

/* What it asks for is not what comes first. */
static void poll_both(int fd)
{
    struct pollfd one = {fd, POLLIN | POLLOUT, 0};
    CHECK(poll(&one, 1, 100000) == 1 && one.revents == POLLOUT);
}

static void poll_none(int fd)
{
    struct pollfd one = {fd, POLLRDHUP, 0};
    CHECK(poll(&one, 1, 100000) == 1);
}

static void empty(int fd)
{
    char some[4096];
    while (recv(fd, some, sizeof some, MSG_DONTWAIT) > 0)
        ;
}

/* X(name, operation, object, wait, wake) */
#define CASES(X)                                                                                   \
    X(read, channel, pipe_object(0), CHECK(read(pipes[0][0], &byte, 1) == 1),                      \
      CHECK(write(pipes[0][1], "x", 1) == 1))                                                      \
    X(readv, channel, pipe_object(1), transfer(readv, pipes[1][0]), transfer(writev, pipes[1][1])) \
    X(poll, channel, pipe_object(2), poll_one(pipes[2][0]),                                        \
      CHECK(write(pipes[2][1], "x", 1) == 1))                                                      \
    X(poll_both, channel_room, object(3, inode(crowded[0])), poll_both(crowded[1]),                \
      empty(crowded[0]))                                                                           \
    X(poll_hung_up, channel, object(3, inode(crowded[1])), poll_none(crowded[1]),                  \
      CHECK(close(crowded[0]) == 0))                                                               \
    X(recv, channel, object(3, inode(sockets[0])), CHECK(recv(sockets[0], &byte, 1, 0) == 1),      \
      CHECK(send(sockets[1], "x", 1, 0) == 1))                                                     \
    X(recvmsg, channel, object(3, inode(sockets[0])), receive_message(sockets[0]),                 \
      send_message(sockets[1]))                                                                    \
    X(recvfrom, channel, object(4, inode(datagrams[0])), receive_from(datagrams[0]),               \
      CHECK(sendto(datagrams[1], "x", 1, 0, NULL, 0) == 1))                                        \
    X(ppoll, channel, pipe_object(2), poll_precisely(pipes[2][0]),                                 \
      CHECK(write(pipes[2][1], "x", 1) == 1))                                                      \
    X(recv_all, channel, object(3, inode(roomy[0])), receive_both(roomy[0]),                       \
      CHECK(send(roomy[1], "x", 1, 0) == 1))                                                       \
    X(write_much, channel_room, object(3, inode(roomy[0])), write_much(roomy[1]),                  \
      read_much(roomy[0]))                                                                         \
    X(other_way, channel, object(3, inode(sockets[1])), CHECK(read(sockets[1], &byte, 1) == 1),    \
      CHECK(write(sockets[0], "x", 1) == 1))                                                       \
    X(eventfd, channel, event_object(1), eventfd_t n;                                              \
      CHECK(read(events[0], &n, sizeof n) == 8), eventfd_t one = 1;                                \
      CHECK(write(events[0], &one, sizeof one) == 8))                                              \
    X(eventfd_read, channel, event_object(2), eventfd_t n;                                         \
      CHECK(eventfd_read(events[1], &n) == 0), CHECK(eventfd_write(events[1], 1) == 0))            \
    X(write, channel_room, pipe_object(FULL), CHECK(write(pipes[FULL][1], "x", 1) == 1),           \
      char some[4096];                                                                             \
      CHECK(read(pipes[FULL][0], some, sizeof some) == sizeof some))                               \
    X(close, channel, pipe_object(CLOSED), CHECK(read(pipes[CLOSED][0], &byte, 1) == 0),           \
      CHECK(close(pipes[CLOSED][1]) == 0))

#define WAITER(name, operation, object, wait, wake)                                                \
    static void *wait_##name(void *arg)                                                            \
    {                                                                                              \
        await_tell(&waiting);                                                                      \
        wait;                                                                                      \
        return arg;                                                                                \
    }
CASES(WAITER)

#define RUN(name, operation, object, wait, wake)                                                   \
    {                                                                                              \
        pthread_t thread;                                                                          \
        waiting = 0;                                                                               \
        CHECK(pthread_create(&thread, NULL, wait_##name, NULL) == 0);                              \
        await_sleep(&waiting);                                                                     \
        wake;                                                                                      \
        CHECK(pthread_join(thread, NULL) == 0);                                                    \
        printf(#name " " #operation " %lx\n", object);                                             \
    }

/* Nobody waits: none of these may leave a record, nor may what is no channel, or no longer. */
static void uncontended(void)
{
    int gone[2], plain = eventfd(0, 0), zero;
    CHECK(write(pipes[3][1], "x", 1) == 1 && read(pipes[3][0], &byte, 1) == 1);
    CHECK(pipe(gone) == 0 && close(gone[0]) == 0 && close(gone[1]) == 0);
    CHECK(close(plain) == 0);
    zero = open("/dev/zero", 0);
    CHECK(zero == plain || zero == gone[0]);
    CHECK(read(zero, &byte, 1) == 1 && close(zero) == 0);
    while (send(crowded[1], "x", 1, MSG_DONTWAIT) == 1) /* the last find no room, or little */
        ;
    CHECK(fcntl(crowded[1], F_SETFL, O_NONBLOCK) == 0);
    for (int i = 0; i < 1000; i++)
        CHECK(write(crowded[1], "x", 1) == -1 && errno == EAGAIN);
    for (int i = 0; i < 1000; i++) {
        static char large[8192];
        struct iovec part = {large, sizeof large};
        CHECK(write(roomy[0], large, sizeof large) == sizeof large);
        CHECK(recv(roomy[1], large, sizeof large, MSG_WAITALL) == sizeof large);
        CHECK(writev(roomy[0], &part, 1) == sizeof large);
        CHECK(read(roomy[1], large, sizeof large) == sizeof large);
    }
    CHECK(read(-1, &byte, 1) == -1 && write(1 << 30, &byte, 1) == -1 && close(-1) == -1);
}

/* A child reads what its parent writes. */
static void between_processes(void)
{
    int *child_waits = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        await_tell(child_waits);
        CHECK(read(pipes[3][0], &byte, 1) == 1);
        exit(0);
    }
    await_sleep(child_waits);
    CHECK(write(pipes[3][1], "x", 1) == 1);
    CHECK(wait(NULL) == child);
    printf("child channel %lx\n", pipe_object(3));
}

int main(void)
{
    for (int i = 0; i < PIPES; i++)
        CHECK((i % 2 ? pipe(pipes[i]) : pipe2(pipes[i], O_CLOEXEC)) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) == 0);
    for (int i = 0; i < 2; i++)
        CHECK((events[i] = eventfd(0, 0)) >= 0);
    for (size_t full = 0; full < 65536; full += 4096) {
        static char page[4096];
        CHECK(write(pipes[FULL][1], page, sizeof page) == sizeof page);
    }
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, crowded) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, roomy) == 0);
    uncontended();
    CHECK(send(roomy[1], "x", 1, 0) == 1);
    CASES(RUN)
    between_processes();
    return 0;
}
