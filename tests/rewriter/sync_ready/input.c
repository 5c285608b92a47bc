/* Waits for one of several descriptors: by select, by epoll, in macros, through pointers. */
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define WAIT_READABLE(fd, set) select((fd) + 1, set, NULL, NULL, NULL)

struct loop {
    int (*wait)(int, struct epoll_event *, int, int);
    int set;
};

static int opened(const struct loop *loop, int fd)
{
    struct epoll_event event = {.events = EPOLLIN}, got[2];
    const struct timespec soon = {1, 0};
    int n = epoll_ctl(loop->set, EPOLL_CTL_ADD, fd, &event);
    n += epoll_wait(loop->set, got, 2, 1000);
    n += epoll_pwait(loop->set, got, 2, 1000, NULL);
    return n + epoll_pwait2(loop->set, got, 2, &soon, NULL) + loop->wait(loop->set, got, 2, 1000);
}

static int unopened(int fd)
{
    struct timeval time = {1, 0};
    const struct timespec soon = {1, 0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    int n = WAIT_READABLE(fd, &set);
    n += select(fd + 1, &set, NULL, NULL, &time);
    return n + pselect(fd + 1, &set, NULL, NULL, &soon, NULL);
}

/* Of the program's own, with the name of one. */
static int own(int fd)
{
    struct { int (*select)(int); } table = {unopened};
    return table.select(fd);
}

int main(void)
{
    const struct loop loop = {epoll_wait, epoll_create1(0)};
    int fd = eventfd(1, 0);
    printf("%d %d\n", opened(&loop, fd), unopened(fd));
    printf("%d\n", own(fd));
    return close(fd);
}
