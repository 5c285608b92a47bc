/* ready.c - waits for whichever of several descriptors becomes ready first: poll, select, epoll.
 * Prints for each waiter the case, its thread and the thread that let it go on, or "-". */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "helper.h"

static int write_one(int fd)
{
    return write(fd, "x", 1) == 1;
}

static int close_it(int fd)
{
    return close(fd) == 0;
}

static int add_one(int fd)
{
    return eventfd_write(fd, 1) == 0;
}

/* What the program gives for a descriptor need not be its number. */
static struct epoll_event named(int fd, unsigned events)
{
    return (struct epoll_event){.events = events, .data = {.u64 = (unsigned long)fd * 1000003 + 7}};
}

static void put(int set, int fd, unsigned events)
{
    struct epoll_event event = named(fd, events);
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
}

static int ready_one = -1; /* which one an epoll_wait has to tell of */

static int tells(const struct epoll_event *event)
{
    return event->data.u64 == named(ready_one, 0).data.u64;
}

static int set_wait(int set)
{
    struct epoll_event events[4];
    return epoll_wait(set, events, 4, 100000) == 1 && tells(&events[0]);
}

static int set_pwait(int set)
{
    struct epoll_event event;
    sigset_t none;
    return sigemptyset(&none) == 0 && epoll_pwait(set, &event, 1, -1, &none) == 1 && tells(&event);
}

static int set_pwait2(int set)
{
    const struct timespec most = {100, 0};
    struct epoll_event event;
    return epoll_pwait2(set, &event, 1, &most, NULL) == 1 && tells(&event);
}

static int set_wait_in_vain(int set)
{
    struct epoll_event event;
    return epoll_wait(set, &event, 1, 50) == 0;
}

static int select_it(int fd)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    FD_SET(0, &set);
    return select(fd + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &set) && !FD_ISSET(0, &set);
}

static int select_room(int fd)
{
    struct timeval most = {100, 0};
    fd_set reads, writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(0, &reads);
    FD_SET(fd, &writes);
    return select(fd + 1, &reads, &writes, NULL, &most) == 1 && FD_ISSET(fd, &writes);
}

static int select_precisely(int fd)
{
    const struct timespec most = {100, 0};
    fd_set reads, others;
    FD_ZERO(&reads);
    FD_ZERO(&others);
    FD_SET(fd, &reads);
    FD_SET(fd, &others);
    return pselect(fd + 1, &reads, NULL, &others, &most, NULL) == 1 && FD_ISSET(fd, &reads);
}

static int select_in_vain(int fd)
{
    struct timeval soon = {0, 50000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return select(fd + 1, &set, NULL, NULL, &soon) == 0;
}

static int poll_it(int fd)
{
    struct pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, 100000) == 1;
}

static int empty(int fd)
{
    static char some[1 << 16];
    return read(fd, some, sizeof some) > 0;
}

/* ---- the cases ---- */

static void of_sets(void)
{
    int event = eventfd(0, EFD_NONBLOCK), pair[2], fds[2], set = epoll_create1(0);
    CHECK(event >= 0 && pipe(fds) == 0 && set >= 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    put(set, event, EPOLLIN), put(set, pair[0], EPOLLIN), put(set, fds[0], EPOLLIN);
    ready_one = pair[0];
    struct helper *a = start_waiter(set_wait, set);
    gone("set", a, let(write_one, pair[1]));
    empty(pair[0]);
    ready_one = event;
    a = start_waiter(set_pwait, set);
    gone("set_pwait", a, let(add_one, event));
    empty(event);
    ready_one = fds[0];
    a = start_waiter(set_pwait2, set);
    gone("set_pwait2", a, let(write_one, fds[1]));
    empty(fds[0]);
    a = start_waiter(set_wait_in_vain, set);
    gone("set_in_vain", a, 0);
    a = start_waiter(set_wait, set);
    gone("set_hung_up", a, let(close_it, fds[1]));
    CHECK(close(fds[0]) == 0);
    struct epoll_event other = named(4711, EPOLLIN);
    CHECK(epoll_ctl(set, EPOLL_CTL_MOD, event, &other) == 0);
    ready_one = 4711;
    a = start_waiter(set_wait, set);
    gone("set_renamed", a, let(add_one, event));
}

/* One event for two sets, and for each write again, though nobody has read. */
static void of_edges(void)
{
    int event = eventfd(0, EFD_NONBLOCK), sets[2] = {epoll_create(1), epoll_create(1)};
    put(sets[0], event, EPOLLIN | EPOLLET), put(sets[1], event, EPOLLIN | EPOLLET);
    ready_one = event;
    for (int again = 0; again < 2; again++) {
        struct helper *a = start_waiter(set_wait, sets[0]), *b = start_waiter(set_wait, sets[1]);
        int waker = let(add_one, event);
        gone("edge", a, waker), gone("edge", b, waker);
    }
}

/* In a set of thousands. */
static void of_many(void)
{
    enum { MANY = 3000 };
    struct rlimit limit;
    static int events[MANY];
    int set = epoll_create1(EPOLL_CLOEXEC);
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    int count = limit.rlim_cur > MANY + 100 ? MANY : 500;
    for (int i = 0; i < count; i++) {
        CHECK((events[i] = eventfd(0, EFD_CLOEXEC)) >= 0);
        put(set, events[i], EPOLLIN);
    }
    ready_one = events[count / 2];
    struct helper *a = start_waiter(set_wait, set);
    gone("many", a, let(add_one, ready_one));
    for (int i = 0; i < count; i++)
        CHECK(close(events[i]) == 0);
}

/* Nobody is known to end these. */
static void of_unknown(void)
{
    int set = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec soon = {.it_value = {0, 100000000}};
    put(set, timer, EPOLLIN);
    ready_one = timer;
    CHECK(timerfd_settime(timer, 0, &soon, NULL) == 0);
    gone("timer", start_waiter(set_wait, set), 0);
    CHECK(empty(timer) && timerfd_settime(timer, 0, &soon, NULL) == 0);
    gone("timer_polled", start_waiter(poll_it, timer), 0);
    CHECK(empty(timer) && timerfd_settime(timer, 0, &soon, NULL) == 0);
    gone("timer_selected", start_waiter(select_it, timer), 0);
}

static void of_select(void)
{
    int fds[2], pair[2];
    CHECK(pipe(fds) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    struct helper *a = start_waiter(select_it, pair[0]);
    gone("select", a, let(write_one, pair[1]));
    gone("select_in_vain", start_waiter(select_in_vain, fds[0]), 0);
    a = start_waiter(select_precisely, fds[0]);
    gone("pselect", a, let(write_one, fds[1]));
    CHECK(fcntl(fds[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(fds[1], "x", 1) == 1)
        ;
    a = start_waiter(select_room, fds[1]);
    gone("select_room", a, let(empty, fds[0]));
}

/* A child that was forked with the set. */
static void of_child(void)
{
    int fds[2], set = epoll_create1(0);
    CHECK(pipe(fds) == 0);
    put(set, fds[0], EPOLLIN);
    ready_one = fds[0];
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct helper *a = start_waiter(set_wait, set);
        gone("child", a, let(write_one, fds[1]));
        exit(0);
    }
    CHECK(waitpid(child, NULL, 0) == child);
}

int main(void)
{
    int quiet[2];
    CHECK(pipe(quiet) == 0 && dup2(quiet[0], 0) == 0); /* what is there to read from 0: nothing */
    of_sets();
    of_edges();
    of_many();
    of_unknown();
    of_select();
    of_child();
    return 0;
}
