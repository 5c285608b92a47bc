#include "sampler/perf_rings.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "sampler/kernel_event.h"

enum { READ_LOST = 1 << 4 }; /* PERF_FORMAT_LOST, which older headers lack */

struct perf_event_attr perf_rings_attr(uint32_t type, uint64_t config)
{
    return (struct perf_event_attr){.type = type,
                                    .size = sizeof(struct perf_event_attr),
                                    .config = config,
                                    .sample_period = 1,
                                    .sample_type = EVENT_SAMPLE,
                                    .read_format = READ_LOST,
                                    .disabled = 1,
                                    .exclude_callchain_kernel = 1,
                                    .exclude_callchain_user = 1,
                                    .sample_id_all = 1,
                                    .use_clockid = 1,
                                    .clockid = CLOCK_MONOTONIC,
                                    .watermark = 1};
}

void perf_rings_init(struct perf_rings *rings, size_t ring_bytes)
{
    *rings = (struct perf_rings){.ring_bytes = ring_bytes, .waker = -1};
}

/* The user's limit on open files may be low: the low numbers are for others, and some of them are left.
 * -1 and errno. */
static int moved_up(int fd)
{
    enum { ABOVE = 256, LEFT = 12 };
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
    struct rlimit limit;
    if (moved < 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > (rlim_t)fd + LEFT)
        return fd;
    close(fd);
    errno = moved < 0 ? EMFILE : errno;
    return moved;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, uint32_t processor)
{
    int fd = (int)syscall(SYS_perf_event_open, attr, pid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0 && errno == EINVAL && attr->read_format) { /* a kernel that does not count it */
        attr->read_format = 0;
        fd = (int)syscall(SYS_perf_event_open, attr, pid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
    }
    return fd < 0 ? fd : moved_up(fd);
}

/* Memory that may be locked is short for users without rights: any ring is better than none. */
static bool map_ring(struct perf_rings *rings, struct ring *ring, int fd)
{
    while (!ring_open(ring, fd, rings->ring_bytes)) {
        if ((errno != EPERM && errno != ENOMEM) || rings->ring_bytes <= (size_t)getpagesize())
            return false;
        rings->ring_bytes /= 2;
    }
    return true;
}

bool perf_rings_add_ring(struct perf_rings *rings, uint32_t processor, struct perf_event_attr *attr,
                         pid_t pid)
{
    struct ring ring;
    attr->wakeup_watermark = (uint32_t)rings->ring_bytes / 4;
    int fd = open_event(attr, pid, processor);
    if (fd < 0)
        return false;
    if (!map_ring(rings, &ring, fd)) {
        close(fd);
        return false;
    }
    size_t count = rings->count + 1;
    rings->rings = memory_resize(rings->rings, count * sizeof *rings->rings);
    rings->first = memory_resize(rings->first, (count + 1) * sizeof *rings->first);
    rings->processors = memory_resize(rings->processors, count * sizeof *rings->processors);
    rings->second_words = memory_resize(rings->second_words, count * sizeof *rings->second_words);
    rings->chains = memory_resize(rings->chains, count * sizeof *rings->chains);
    rings->second_words[rings->count] = -1;
    rings->chains[rings->count] = (struct chain_fds){-1, -1};
    rings->rings[rings->count] = ring;
    rings->first[rings->count] = (struct pollfd){.fd = fd, .events = POLLIN};
    rings->processors[rings->count] = processor;
    VEC_PUSH(rings->events, rings->event_count, rings->event_capacity) =
        (struct perf_fd){.fd = fd, .place = rings->count};
    rings->count++;
    return true;
}

static int open_beside(const struct perf_rings *rings, uint32_t place, struct perf_event_attr *attr,
                       pid_t pid)
{
    int fd = open_event(attr, pid, rings->processors[place]);
    if (fd < 0)
        return -1;
    if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, rings->first[place].fd) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

void perf_rings_confirm(struct perf_rings *rings, uint32_t place, struct perf_event_attr *attr,
                        bool on)
{
    int *second_word = &rings->second_words[place];
    if (on && *second_word < 0)
        *second_word = open_beside(rings, place, attr, -1);
    if (on || *second_word < 0)
        return;
    close(*second_word);
    *second_word = -1;
}

int perf_rings_add(struct perf_rings *rings, uint32_t place, struct perf_event_attr *attr,
                   pid_t pid)
{
    int fd = open_beside(rings, place, attr, pid);
    if (fd < 0)
        return -1;
    VEC_PUSH(rings->events, rings->event_count, rings->event_capacity) =
        (struct perf_fd){.fd = fd, .place = place};
    return fd;
}

void perf_rings_remove(struct perf_rings *rings, int fd)
{
    size_t i = 0;
    while (i < rings->event_count && rings->events[i].fd != fd)
        i++;
    if (i == rings->event_count)
        return;
    rings->events[i] = rings->events[--rings->event_count];
    close(fd);
}

void perf_rings_enable(struct perf_rings *rings)
{
    for (size_t i = 0; i < rings->event_count; i++)
        ioctl(rings->events[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

void perf_rings_pause(struct perf_rings *rings)
{
    for (size_t i = 0; i < rings->event_count; i++)
        if (!rings->events[i].always)
            ioctl(rings->events[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void perf_rings_disable(struct perf_rings *rings)
{
    for (size_t i = 0; i < rings->event_count; i++)
        ioctl(rings->events[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void perf_rings_wait(struct perf_rings *rings, int milliseconds)
{
    struct pollfd waker = {.fd = rings->waker, .events = POLLIN};
    if (rings->count)
        rings->first[rings->count] = waker;
    poll(rings->count ? rings->first : &waker, rings->count + 1, milliseconds);
}

uint64_t perf_rings_lost(const struct perf_rings *rings, uint32_t place)
{
    uint64_t lost = 0;
    for (size_t i = 0; i < rings->event_count; i++) {
        struct {
            uint64_t value, lost;
        } read_out = {0, 0};
        if (rings->events[i].place == place &&
            read(rings->events[i].fd, &read_out, sizeof read_out) == sizeof read_out)
            lost += read_out.lost;
    }
    return lost;
}

void perf_rings_close(struct perf_rings *rings)
{
    for (size_t i = 0; i < rings->event_count; i++)
        close(rings->events[i].fd);
    for (uint32_t i = 0; i < rings->count; i++) {
        perf_rings_confirm(rings, i, NULL, false);
        ring_close(&rings->rings[i]);
    }
    memory_free(rings->rings);
    memory_free(rings->first);
    memory_free(rings->processors);
    memory_free(rings->second_words);
    memory_free(rings->chains);
    memory_free(rings->events);
    *rings = (struct perf_rings){0};
}
