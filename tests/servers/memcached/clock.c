/* clock.c - an independent clock inside memcached, to hold vprofiler's figures against.
 *
 *     LD_PRELOAD=clock.so CLOCK_FILE=latencies.txt memcached ...
 *
 * Interposes read and sendmsg: a request lasts from the return of the read that brought data on a
 * connection to the return of the sendmsg that answered it. When the server exits, a line for
 * each request is written: its latency, and how much of it was in sendmsg, both in ns. Shares
 * nothing with vprofiler: libc's clock, its own memory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FDS = 4096, MOST_SAMPLES = 8 << 20 };

static int64_t started[MOST_FDS];
static struct sample {
    int64_t latency_ns, sendmsg_ns;
} * samples;
static atomic_uint sample_count;
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_sendmsg)(int, const struct msghdr *, int);

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void write_samples(void)
{
    const char *path = getenv("CLOCK_FILE");
    FILE *file = path && atomic_load(&sample_count) ? fopen(path, "w") : NULL;
    for (unsigned i = 0; file && i < atomic_load(&sample_count) && i < MOST_SAMPLES; i++)
        fprintf(file, "%lld %lld\n", (long long)samples[i].latency_ns,
                (long long)samples[i].sendmsg_ns);
    if (file)
        fclose(file);
}

__attribute__((constructor)) static void start(void)
{
    real_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    real_sendmsg = (ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
    samples = calloc(MOST_SAMPLES, sizeof *samples);
    atexit(write_samples);
}

ssize_t read(int fd, void *data, size_t size)
{
    ssize_t got = real_read(fd, data, size);
    if (got > 0 && fd >= 0 && fd < MOST_FDS)
        started[fd] = now_ns();
    return got;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    int64_t before = now_ns();
    ssize_t put = real_sendmsg(fd, message, flags);
    int64_t after = now_ns();
    if (fd >= 0 && fd < MOST_FDS && started[fd]) {
        unsigned i = atomic_fetch_add(&sample_count, 1);
        if (i < MOST_SAMPLES)
            samples[i] = (struct sample){after - started[fd], after - before};
        started[fd] = 0;
    }
    return put;
}
