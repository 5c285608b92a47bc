/* What the kernel says of this thread, for cases about its side of a run: a truth that owes nothing to a recorder.

       own_ordinary();                          blame.py starts programs at real-time priority: who shares must not have it
       struct own_kernel k = own_asked();       how long it was runnable, which processor it is on, its major faults
       own_skip("the disk refuses O_DIRECT");   the case says nothing here */
#ifndef KERNEL_H
#define KERNEL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "own.h"
struct own_kernel { long ran, runnable, faults; };
__attribute__((unused)) static void own_skip(const char *why)
{
    FILE *f = fopen(getenv("TRUTH") ? getenv("TRUTH") : "truth.json", "w");
    fprintf(f, "{\"skip\":\"%s\"}\n", why);
    fclose(f);
    exit(1);
}
__attribute__((unused)) static struct own_kernel own_asked(void)
{
    static __thread int schedstat = -1;
    struct own_kernel k = { 0, 0, 0 };
    struct rusage usage;
    struct timespec ran;
    char text[100] = "";
    if (schedstat < 0) schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (pread(schedstat, text, sizeof text - 1, 0) < 1 || sscanf(text, "%*d %ld", &k.runnable) != 1)
        own_skip("the kernel keeps no schedstat");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran); /* to the ns; what schedstat says of it is as old as the last tick */
    k.ran = ran.tv_sec * 1000000000L + ran.tv_nsec;
    getrusage(RUSAGE_THREAD, &usage);
    k.faults = usage.ru_majflt;
    return k;
}
/* What it starts shares a processor with it, and others get little of that. */
__attribute__((unused)) static void own_ordinary(void)
{
    struct sched_param none = { 0 };
    int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (group >= 0 && write(group, "-19", 3) == 3) close(group);
    sched_setscheduler(0, SCHED_OTHER, &none);
    setpriority(PRIO_PROCESS, 0, -19);
}
/* This thread, and what it starts, on one processor: the n-th last of those that it may use. */
__attribute__((unused)) static void own_pin(int n)
{
    cpu_set_t may, one;
    int i;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof may, &may);
    for (i = CPU_SETSIZE - 1; i >= 0; i--) if (CPU_ISSET(i, &may) && n-- == 0) break;
    CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
}
/* How many turns of OWN_TURN take 1 us when nobody interrupts. */
#define OWN_TURN(x) __asm__ volatile("imul $3, %0, %0" : "+r"(x))
__attribute__((unused)) static double own_turns_per_us(void)
{
    double best = 0, rate;
    unsigned long x = 1, i;
    int k;
    for (k = 0; k < 20; k++) {
        long a = NOW();
        for (i = 0; i < 20000; i++) OWN_TURN(x);
        rate = 20000e3 / (double)(NOW() - a);
        if (rate > best) best = rate;
    }
    return best;
}
#define OWN_SPIN(turns) do { unsigned long x_ = 1, n_ = (unsigned long)(turns), i_; for (i_ = 0; i_ < n_; i_++) OWN_TURN(x_); } while (0)
/* The whole disk that a file lies on, as the kernel calls it; empty where it is not on one that has a name. */
__attribute__((unused)) static void own_disk(int fd, char *name, size_t room)
{
    struct stat about;
    char link[100], path[600], *at;
    ssize_t n;
    name[0] = 0;
    if (fstat(fd, &about)) return;
    snprintf(link, sizeof link, "/sys/dev/block/%u:%u", major(about.st_dev), minor(about.st_dev));
    n = readlink(link, path, sizeof path - 1);
    if (n < 1) return;
    path[n] = 0;
    snprintf(link, sizeof link, "/sys/dev/block/%u:%u/partition", major(about.st_dev), minor(about.st_dev));
    at = strrchr(path, '/');
    if (access(link, F_OK) == 0) { *at = 0; at = strrchr(path, '/'); }
    snprintf(name, room, "%s", at + 1);
}
/* A file of that many MB beside the program, on the disk and not in memory; a case that needs a disk has none on tmpfs. */
__attribute__((unused)) static int own_file(const char *path, int mb, int flags)
{
    static char block[1 << 20];
    unsigned long seed = 3;
    int i, fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644), again;
    for (i = 0; i < (int)sizeof block; i++) block[i] = (char)RNG(seed);
    for (i = 0; i < mb; i++) if (write(fd, block, sizeof block) != sizeof block) own_skip("no room for a file");
    if (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)) own_skip("the file cannot be dropped from memory");
    again = open(path, O_RDWR | flags);
    if (again < 0) own_skip("the folder's file system refuses O_DIRECT");
    close(fd);
    unlink(path);
    return again;
}
#endif
