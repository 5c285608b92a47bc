#include "runtime/wait_ready.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>

#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/readable.h"
#include "runtime/sites.h"
#include "runtime/system.h"
#include "runtime/wait.h"
#include "runtime/watch.h"

/* The descriptor is ready for `events`, or was to become so, as poll says it. */
struct readiness {
    int fd;
    short events;
};

static const struct readiness READY_NOT = {-1, 0};

/* The object that ended the wait for the descriptor is 0 if it is no channel. */
static uint64_t waited_object(struct readiness one, unsigned *operation)
{
    bool reads = channel_read(one.fd) && (one.events & ~(POLLOUT | POLLWRNORM));
    *operation = reads ? TRACE_OP_CHANNEL : TRACE_OP_CHANNEL_ROOM;
    return reads ? channel_read(one.fd) : channel_write(one.fd);
}

/* A thread that waits for something to be ready takes nothing. */
static unsigned waited_ending(struct readiness one, unsigned operation)
{
    int bytes = 0;
    if (!(one.events & (POLLHUP | POLLERR | POLLRDHUP)))
        return TRACE_ENDING_LEFT_SOME;
    if (operation == TRACE_OP_CHANNEL && ioctl(one.fd, FIONREAD, &bytes) == 0 && bytes > 0)
        return TRACE_ENDING_LEFT_SOME;
    return TRACE_ENDING_CLOSED;
}

static bool is_watchable(int fd)
{
    return channel_read(fd) || channel_write(fd);
}

/* The other end's close ends the wait, too, whatever was asked for. */
static void count_one(int fd, void (*count)(uintptr_t object))
{
    if (channel_read(fd))
        count(channel_read(fd));
    if (channel_write(fd))
        count(channel_write(fd));
}

/* The call said that so many were ready, or -1 and errno, after a try had found none. `one` ended
 * the wait, or stands for all. */
static void record(unsigned site, uint64_t start, int ready, struct readiness one)
{
    int error = errno;
    uint64_t end = clock_now();
    struct wait w = {site, TRACE_OP_CHANNEL, CHANNEL_UNKNOWN, start, TRACE_ENDING_GAVE_UP, 1};
    unsigned operation;
    uint64_t object = waited_object(one, &operation);
    enum delay_waker waker = DELAY_BY_SOCKET;
    sites_check();
    if (wait_was_long(&w, end) && (ready >= 0 || error == EINTR)) {
        if (object && channel_is(one.fd, object)) {
            w.object = object;
            w.operation = operation;
            waker = DELAY_BY_THREAD;
        }
        if (ready > 0)
            w.ending = w.object == object ? waited_ending(one, operation) : TRACE_ENDING_LEFT_SOME;
        wait_record_block(&w, end);
    }
    if (ready > 0)
        delay_after_wait(start, w.object, waker);
    else
        delay_after_device(start, TRACE_WAIT_TIMER);
    errno = error;
}

/* A time that can't be read is left to the real call. */
static bool can_wait(const struct timespec *timeout)
{
    return !timeout ||
           (readable(timeout, sizeof *timeout) && (timeout->tv_sec || timeout->tv_nsec));
}

/* poll, select and epoll_wait do this alike, each with its own arguments. */
struct ready_call {
    int (*attempt)(void *args); /* what is ready now, and no cancellation point */
    int (*call)(void *args);    /* as the program wrote it */
    void (*enter)(void *args);  /* counts the thread among those that wait */
    void (*leave)(void *args);
    struct readiness (*first)(void *args, int ready); /* what ended it */
};

/* The function stands by itself: where the cleanup is a setjmp, nothing of its caller is at stake.
 */
static __attribute__((noinline)) int call_counted(const struct ready_call *of, void *args)
{
    int ready;
    of->enter(args);
    pthread_cleanup_push(of->leave, args);
    ready = of->call(args);
    pthread_cleanup_pop(1);
    return ready;
}

/* The attempt also says whether the arguments can be read. */
static int call_or_wait(const struct ready_call *of, unsigned site, void *args)
{
    pthread_testcancel();
    int ready = of->attempt(args);
    if (ready > 0)
        return ready;
    if (ready < 0)
        return of->call(args);
    delay_before_wait();
    uint64_t start = clock_now();
    ready = call_counted(of, args);
    record(site, start, ready, of->first(args, ready));
    return ready;
}

struct poll_wait {
    struct pollfd *set;
    unsigned long count;
    bool precise; /* ppoll, not poll */
    int timeout_ms;
    const struct timespec *timeout;
    const sigset_t *signals;
};

static int poll_now(void *args)
{
    const struct poll_wait *p = args;
    const struct timespec now = {0, 0};
    return (int)syscall(SYS_ppoll, p->set, p->count, &now, NULL, 8);
}

static int poll_call(void *args)
{
    const struct poll_wait *p = args;
    return p->precise ? ppoll(p->set, p->count, p->timeout, p->signals)
                      : poll(p->set, p->count, p->timeout_ms);
}

static void poll_count(const struct poll_wait *p, void (*count)(uintptr_t object))
{
    for (unsigned long i = 0; i < p->count; i++)
        count_one(p->set[i].fd, count);
}

static void poll_enter(void *args)
{
    poll_count(args, waiters_add);
}

static void poll_leave(void *args)
{
    poll_count(args, waiters_remove);
}

/* The first descriptor that is ready ended the wait. Where none is, all were waited for, and the
 * first channel stands for them. */
static struct readiness poll_first(void *args, int ready)
{
    const struct poll_wait *p = args;
    for (unsigned long i = 0; i < p->count; i++) {
        const struct pollfd *one = &p->set[i];
        if (ready > 0 ? one->revents != 0 : is_watchable(one->fd))
            return (struct readiness){one->fd, ready > 0 ? one->revents : one->events};
    }
    return READY_NOT;
}

static const struct ready_call POLL = {poll_now, poll_call, poll_enter, poll_leave, poll_first};

/* A poll with nothing to wait for is a sleep, and one that loops wait for their next work by. */
int wait_poll(unsigned site, void *set, unsigned long count, int timeout_ms)
{
    struct poll_wait p = {.set = set, .count = count, .timeout_ms = timeout_ms};
    return timeout_ms == 0 ? poll_call(&p) : call_or_wait(&POLL, site, &p);
}

int wait_ppoll(unsigned site, void *set, unsigned long count, const void *timeout,
               const void *signals)
{
    struct poll_wait p = {
        .set = set, .count = count, .precise = true, .timeout = timeout, .signals = signals};
    return can_wait(timeout) ? call_or_wait(&POLL, site, &p) : poll_call(&p);
}

/* select has a set of what to read, one of what to write, and one of what is else to be told of. */
enum { SELECT_SETS = 3 };

struct select_wait {
    int count;
    fd_set *sets[SELECT_SETS]; /* the program's, or NULL */
    fd_set asked[SELECT_SETS]; /* a copy, of what they hold before the call */
    bool precise;              /* pselect, not select */
    void *timeout;
    const sigset_t *signals;
};

static int select_call(void *args)
{
    const struct select_wait *s = args;
    return s->precise
               ? pselect(s->count, s->sets[0], s->sets[1], s->sets[2], s->timeout, s->signals)
               : select(s->count, s->sets[0], s->sets[1], s->sets[2], s->timeout);
}

static bool select_has(const fd_set *set, int fd)
{
    return set->fds_bits[fd / NFDBITS] >> fd % NFDBITS & 1;
}

/* The search gives the first descriptor from `fd` on that is in one of the sets, with what for;
 * READY_NOT: none is. */
static struct readiness select_next(const struct select_wait *s, const fd_set *sets, int fd)
{
    static const short events[SELECT_SETS] = {POLLIN, POLLOUT, POLLPRI};
    struct readiness one = {-1, 0};
    for (; fd < s->count && one.fd < 0; fd++) {
        for (int i = 0; i < SELECT_SETS; i++)
            if (select_has(&sets[i], fd))
                one = (struct readiness){fd, (short)(one.events | events[i])};
        if (!(sets[0].fds_bits[fd / NFDBITS] | sets[1].fds_bits[fd / NFDBITS] |
              sets[2].fds_bits[fd / NFDBITS]))
            fd |= (int)NFDBITS - 1;
    }
    return one;
}

static void select_count(const struct select_wait *s, void (*count)(uintptr_t object))
{
    struct readiness one = select_next(s, s->asked, 0);
    for (; one.fd >= 0; one = select_next(s, s->asked, one.fd + 1))
        count_one(one.fd, count);
}

static void select_enter(void *args)
{
    select_count(args, waiters_add);
}

static void select_leave(void *args)
{
    select_count(args, waiters_remove);
}

static size_t select_bytes(const struct select_wait *s)
{
    return ((size_t)s->count + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);
}

/* The result is false if the sets can't be read. */
static bool select_copy(struct select_wait *s)
{
    memset(s->asked, 0, sizeof s->asked);
    for (int i = 0; i < SELECT_SETS; i++)
        if (s->sets[i] && !readable(s->sets[i], select_bytes(s)))
            return false;
        else if (s->sets[i])
            memcpy(&s->asked[i], s->sets[i], select_bytes(s));
    return true;
}

static struct readiness select_first(void *args, int ready)
{
    const struct select_wait *s = args;
    fd_set sets[SELECT_SETS];
    if (ready > 0) {
        memset(sets, 0, sizeof sets);
        for (int i = 0; i < SELECT_SETS; i++)
            if (s->sets[i])
                memcpy(&sets[i], s->sets[i], select_bytes(s));
        return select_next(s, sets, 0);
    }
    struct readiness one = select_next(s, s->asked, 0);
    while (one.fd >= 0 && !is_watchable(one.fd))
        one = select_next(s, s->asked, one.fd + 1);
    return one;
}

/* The sets get what is ready now, as the real call would put it. */
static int select_now(void *args)
{
    const struct select_wait *s = args;
    struct timespec now = {0, 0};
    fd_set sets[SELECT_SETS];
    memcpy(sets, s->asked, sizeof sets);
    int ready = (int)syscall(SYS_pselect6, s->count, &sets[0], &sets[1], &sets[2], &now, NULL);
    for (int i = 0; i < SELECT_SETS && ready > 0; i++)
        if (s->sets[i])
            memcpy(s->sets[i], &sets[i], select_bytes(s));
    return ready;
}

static const struct ready_call SELECT = {select_now, select_call, select_enter, select_leave,
                                         select_first};

static int select_or_wait(unsigned site, struct select_wait *s)
{
    bool can = s->count >= 0 && s->count <= FD_SETSIZE && select_copy(s);
    return can ? call_or_wait(&SELECT, site, s) : select_call(s);
}

int wait_select(unsigned site, int count, void *reads, void *writes, void *others, void *timeout)
{
    const struct timeval *time = timeout;
    struct select_wait s;
    s.count = count;
    s.sets[0] = reads;
    s.sets[1] = writes;
    s.sets[2] = others;
    s.precise = false;
    s.timeout = timeout;
    s.signals = NULL;
    bool waits = !time || (readable(time, sizeof *time) && (time->tv_sec || time->tv_usec));
    return waits ? select_or_wait(site, &s) : select_call(&s);
}

int wait_pselect(unsigned site, int count, void *reads, void *writes, void *others,
                 const void *timeout, const void *signals)
{
    struct select_wait s;
    s.count = count;
    s.sets[0] = reads;
    s.sets[1] = writes;
    s.sets[2] = others;
    s.precise = true;
    s.timeout = (void *)(uintptr_t)timeout;
    s.signals = signals;
    return can_wait(timeout) ? select_or_wait(site, &s) : select_call(&s);
}

/* A program that calls it has it, whatever its libc. */
extern __typeof__(epoll_pwait2) epoll_pwait2 __attribute__((weak));

enum epoll_call { EPOLL_WAIT, EPOLL_PWAIT, EPOLL_PWAIT2 };

struct epoll_wait {
    enum epoll_call call;
    int set;
    struct epoll_event *events;
    int most;
    int timeout_ms;
    const struct timespec *timeout;
    const sigset_t *signals;
    bool counted;
};

static int epoll_call(void *args)
{
    const struct epoll_wait *e = args;
    if (e->call == EPOLL_WAIT)
        return epoll_wait(e->set, e->events, e->most, e->timeout_ms);
    if (e->call == EPOLL_PWAIT)
        return epoll_pwait(e->set, e->events, e->most, e->timeout_ms, e->signals);
    return epoll_pwait2(e->set, e->events, e->most, e->timeout, e->signals);
}

static int epoll_now(void *args)
{
    const struct epoll_wait *e = args;
    return (int)syscall(SYS_epoll_pwait, e->set, e->events, e->most, 0, NULL, 8);
}

static void epoll_enter(void *args)
{
    struct epoll_wait *e = args;
    e->counted = watch_any();
    if (e->counted)
        waiters_add_for_set();
}

static void epoll_leave(void *args)
{
    if (((struct epoll_wait *)args)->counted)
        waiters_remove_for_set();
}

/* The kernel tells of descriptors in the order in which they became ready. */
static struct readiness epoll_first(void *args, int ready)
{
    const struct epoll_wait *e = args;
    if (ready <= 0)
        return READY_NOT;
    return (struct readiness){watch_find(e->set, e->events[0].data.u64),
                              (short)e->events[0].events};
}

static const struct ready_call EPOLL = {epoll_now, epoll_call, epoll_enter, epoll_leave,
                                        epoll_first};

int wait_epoll_ctl(unsigned site, int set, int what, int fd, void *event)
{
    (void)site;
    int rc = epoll_ctl(set, what, fd, event);
    if (rc == 0 && what != EPOLL_CTL_DEL)
        watch_add(set, ((const struct epoll_event *)event)->data.u64, fd);
    return rc;
}

int wait_epoll_wait(unsigned site, int set, void *events, int most, int timeout_ms)
{
    struct epoll_wait e = {
        .call = EPOLL_WAIT, .set = set, .events = events, .most = most, .timeout_ms = timeout_ms};
    return timeout_ms == 0 ? epoll_call(&e) : call_or_wait(&EPOLL, site, &e);
}

int wait_epoll_pwait(unsigned site, int set, void *events, int most, int timeout_ms,
                     const void *signals)
{
    struct epoll_wait e = {.call = EPOLL_PWAIT,
                           .set = set,
                           .events = events,
                           .most = most,
                           .timeout_ms = timeout_ms,
                           .signals = signals};
    return timeout_ms == 0 ? epoll_call(&e) : call_or_wait(&EPOLL, site, &e);
}

int wait_epoll_pwait2(unsigned site, int set, void *events, int most, const void *timeout,
                      const void *signals)
{
    struct epoll_wait e = {.call = EPOLL_PWAIT2,
                           .set = set,
                           .events = events,
                           .most = most,
                           .timeout = timeout,
                           .signals = signals};
    return can_wait(timeout) ? call_or_wait(&EPOLL, site, &e) : epoll_call(&e);
}
