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
{VPROF_FUNCTION(1)
    struct epoll_event event = {.events = EPOLLIN}, got[2];
    const struct timespec soon = {1, 0};
    int n = __extension__({VPROF_FUNCTION(5) VPROF_SYNC4(5, fd_epoll_ctl, epoll_ctl, loop->set, EPOLL_CTL_ADD, fd, &event);});
    n += __extension__({VPROF_FUNCTION(6) VPROF_SYNC4(6, fd_epoll_wait, epoll_wait, loop->set, got, 2, 1000);});
    n += __extension__({VPROF_FUNCTION(7) VPROF_SYNC5(7, fd_epoll_pwait, epoll_pwait, loop->set, got, 2, 1000, NULL);});
    return n + __extension__({VPROF_FUNCTION(8) VPROF_SYNC5(8, fd_epoll_pwait2, epoll_pwait2, loop->set, got, 2, &soon, NULL);}) + __extension__({VPROF_FUNCTION(9) VPROF_TARGET(9, loop->wait)(loop->set, got, 2, 1000);});
}

static int unopened(int fd)
{VPROF_FUNCTION(2)
    struct timeval time = {1, 0};
    const struct timespec soon = {1, 0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    int n = WAIT_READABLE(fd, &set);
    n += VPROF_SYNC5(11, fd_select, select, fd + 1, &set, NULL, NULL, &time);
    return n + VPROF_SYNC6(12, fd_pselect, pselect, fd + 1, &set, NULL, NULL, &soon, NULL);
}

/* Of the program's own, with the name of one. */
static int own(int fd)
{VPROF_FUNCTION(3)
    struct { int (*select)(int); } table = {unopened};
    return table.select(fd);
}

int main(void)
{VPROF_FUNCTION(4)
    const struct loop loop = {epoll_wait, epoll_create1(0)};
    int fd = VPROF_SYNC2(15, fd_event, eventfd, 1, 0);
    printf("%d %d\n", opened(&loop, fd), unopened(fd));
    printf("%d\n", own(fd));
    return VPROF_SYNC1(21, fd_close, close, fd);
}
