/* hooks_on.c - a runtime that only counts. Linked into a golden program, it shows that the hooks
 * are called in pairs and that the program behaves the same. Writes the counts at the end of the
 * program to the file that VPROF_TEST_COUNTS names. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "vprof_api.h"

enum { ENTER, LEAVE, ACQUIRE, ACQUIRED, RELEASE, TASK, MARK, SYNC, TARGET, COUNT };
static int counts[COUNT];

static void count(int what)
{
    __atomic_fetch_add(&counts[what], 1, __ATOMIC_RELAXED);
}

static void enter(struct vprof_frame_1 *frame)
{
    if (!frame->start)
        count(ENTER);
    frame->start = 1;
}

static void leave(struct vprof_frame_1 *frame)
{
    count(LEAVE);
    if (frame->object)
        count(TARGET);
}

static void acquire(struct vprof_frame_1 *frame, unsigned long object)
{
    frame->start = 1;
    frame->object = object;
    count(ACQUIRE);
}

static void acquired(struct vprof_frame_1 *frame)
{
    (void)frame;
    count(ACQUIRED);
}

static void release(unsigned site, unsigned long object)
{
    (void)site, (void)object;
    count(RELEASE);
}

static void task(unsigned what, unsigned site, unsigned long queue, unsigned long id)
{
    (void)what, (void)site, (void)queue, (void)id;
    count(TASK);
}

static void mark(unsigned what, unsigned long id, const char *name, long value)
{
    (void)what, (void)id, (void)name, (void)value;
    count(MARK);
}

static int mutex_lock(unsigned site, void *mutex)
{
    (void)site;
    count(SYNC);
    return pthread_mutex_lock(mutex);
}

static int mutex_unlock(unsigned site, void *mutex)
{
    (void)site;
    count(SYNC);
    return pthread_mutex_unlock(mutex);
}

static int fd_close(unsigned site, int fd)
{
    (void)site;
    count(SYNC);
    return close(fd);
}

static long fd_read(unsigned site, int fd, void *buffer, unsigned long size)
{
    (void)site;
    count(SYNC);
    return read(fd, buffer, size);
}

static long fd_write(unsigned site, int fd, const void *buffer, unsigned long size)
{
    (void)site;
    count(SYNC);
    return write(fd, buffer, size);
}

static int fd_poll(unsigned site, void *set, unsigned long entries, int timeout_ms)
{
    (void)site;
    count(SYNC);
    return poll(set, entries, timeout_ms);
}

static int fd_select(unsigned site, int entries, void *reads, void *writes, void *others,
                     void *timeout)
{
    (void)site;
    count(SYNC);
    return select(entries, reads, writes, others, timeout);
}

static int fd_epoll_wait(unsigned site, int set, void *events, int most, int timeout_ms)
{
    (void)site;
    count(SYNC);
    return epoll_wait(set, events, most, timeout_ms);
}

static int cond_wait(unsigned site, void *cond, void *mutex)
{
    (void)site;
    count(SYNC);
    return pthread_cond_wait(cond, mutex);
}

static int cond_signal(unsigned site, void *cond)
{
    (void)site;
    count(SYNC);
    return pthread_cond_signal(cond);
}

static int thread_create(unsigned site, void *thread, const void *attr, void *(*start)(void *),
                         void *arg)
{
    (void)site;
    count(SYNC);
    return pthread_create(thread, attr, start, arg);
}

static int thread_join(unsigned site, unsigned long thread, void **result)
{
    (void)site;
    count(SYNC);
    return pthread_join(thread, result);
}

/* Of the program, where it times something; a golden program has less than this many probes. */
extern unsigned char vprof_switches_1[] __attribute__((weak, visibility("hidden")));

__attribute__((constructor)) static void hooks_on(void)
{
    for (int i = 0; vprof_switches_1 && i < 4096; i++)
        vprof_switches_1[i] = 1;
    vprof_hooks_1.enter = enter;
    vprof_hooks_1.leave = leave;
    vprof_hooks_1.acquire = acquire;
    vprof_hooks_1.acquired = acquired;
    vprof_hooks_1.release = release;
    vprof_hooks_1.task = task;
    vprof_hooks_1.mark = mark;
    vprof_hooks_1.fd_close = fd_close;
    vprof_hooks_1.fd_read = fd_read;
    vprof_hooks_1.fd_write = fd_write;
    vprof_hooks_1.fd_poll = fd_poll;
    vprof_hooks_1.fd_select = fd_select;
    vprof_hooks_1.fd_epoll_wait = fd_epoll_wait;
    vprof_hooks_1.mutex_lock = mutex_lock;
    vprof_hooks_1.mutex_unlock = mutex_unlock;
    vprof_hooks_1.cond_wait = cond_wait;
    vprof_hooks_1.cond_signal = cond_signal;
    vprof_hooks_1.thread_create = thread_create;
    vprof_hooks_1.thread_join = thread_join;
}

__attribute__((destructor)) static void write_counts(void)
{
    static const char *const NAMES[COUNT] = {"enter", "leave", "acquire", "acquired", "release",
                                             "task",  "mark",  "sync",    "target"};
    const char *path = getenv("VPROF_TEST_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < COUNT; i++)
        fprintf(file, "%s %d\n", NAMES[i], counts[i]);
    if (file)
        fclose(file);
}
