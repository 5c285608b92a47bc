#include "work.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "own_time.h"

/* Large ones, in a page of that size: then the processor has little to do with it. */
enum { BLOCK_BYTES = 4 << 20 };

static int64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t wall_now_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

static int64_t ns_of_ms(double ms)
{
    return (int64_t)(1e6 * ms);
}

void compute_ms(double ms)
{
    int64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns_of_ms(ms);
    while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
        ;
}

void nap_ms(double ms)
{
    struct timespec nap = {.tv_nsec = ns_of_ms(ms)};
    nanosleep(&nap, NULL);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* That the disk has done since the machine began: reads, writes, discards and flushes. */
static int64_t requests_of(const struct device *device)
{
    enum { READS = 0, WRITES = 4, DISCARDS = 11, FLUSHES = 15, FIELDS = 17 };
    struct stat status;
    char path[64];
    long long of[FIELDS] = {0};
    if (fstat(device->file, &status))
        fail("stat");
    snprintf(path, sizeof path, "/sys/dev/block/%u:%u/stat", major(status.st_dev),
             minor(status.st_dev));
    FILE *file = fopen(path, "r");
    for (int i = 0; file && i < FIELDS && fscanf(file, "%lld", &of[i]) == 1; i++)
        ;
    if (!file)
        fail(path);
    fclose(file);
    return of[READS] + of[WRITES] + of[DISCARDS] + of[FLUSHES];
}

void device_tell(const struct device *device)
{
    if (device->file < 0)
        return;
    own_fact("writes", device->writes);
    own_fact("disk_requests", requests_of(device) - device->requests_before);
}

void device_open(struct device *device, const char *path)
{
    *device = (struct device){.name = path ? "disk" : "timer", .file = -1};
    if (!path)
        return;
    struct stat status;
    device->file = open(path, O_WRONLY | O_DIRECT);
    if (device->file < 0 || fstat(device->file, &status) || status.st_size < BLOCK_BYTES)
        fail(path);
    if (posix_memalign(&device->block, BLOCK_BYTES, BLOCK_BYTES))
        fail("memory");
    madvise(device->block, BLOCK_BYTES, MADV_HUGEPAGE);
    memset(device->block, 1, BLOCK_BYTES);
    device->requests_before = requests_of(device);
}

static void write_block(struct device *device)
{
    struct stat status;
    if (fstat(device->file, &status) ||
        pwrite(device->file, device->block, BLOCK_BYTES, device->at) != BLOCK_BYTES)
        fail("write");
    device->writes++;
    device->at += BLOCK_BYTES;
    if (device->at + BLOCK_BYTES > status.st_size)
        device->at = 0;
}

void device_use(struct device *device, double ms)
{
    struct own_moment since = own_now();
    int64_t until = since.wall_ns + ns_of_ms(ms);
    if (device->file < 0)
        nap_ms(ms);
    else
        do
            write_block(device);
        while (wall_now_ns() < until);
    own_waited(&since, device->name);
}

pthread_t thread_begin(void *(*role)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, role, argument))
        fail("pthread_create");
    return thread;
}

void thread_join(pthread_t thread, const char *name)
{
    struct own_moment since = own_now();
    pthread_join(thread, NULL);
    own_waited(&since, name);
}

void use_one_processor(void)
{
    cpu_set_t all, one;
    int processor = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(processor, &all))
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}
