/* lasting.c - an experiment that lasts, for programs that are started by a test and not by `vprofiler causal`.
 *
 *     lasting FOLDER calls 50 2 250         calls of all probes seem to take half as long; told of each 250 us
 *     lasting FOLDER waits 100 1 0 10       so do waits of all classes; a new experiment begins each 10 ms, until stdin ends
 *
 * The fourth word is enum trace_probe_role, for all probes. The files are those that the program's folder has in a run.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/delay_format.h"
#include "trace/experiment.h"

enum { PROBES = 1 << 16 };

static void *make(const char *folder, const char *name, size_t bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    void *file = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
        file = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) {
        perror(path);
        exit(1);
    }
    return file;
}

static void make_switches(const char *folder, int role)
{
    struct trace_control *control = make(folder, "control.shm", TRACE_PAGE + PROBES);
    memcpy(control->magic, TRACE_CONTROL_MAGIC, sizeof control->magic);
    control->version = TRACE_VERSION;
    control->header_size = TRACE_PAGE;
    memset((char *)control + TRACE_PAGE, role, PROBES);
}

static unsigned kind_of(const char *name)
{
    static const char *const names[] = {[TRACE_DELAY_CALLS] = "calls",
                                        [TRACE_DELAY_WAITS] = "waits",
                                        [TRACE_DELAY_CODE] = "code",
                                        [TRACE_DELAY_LOCK] = "lock"};
    unsigned kind = 0;
    while (kind < sizeof names / sizeof names[0] && strcmp(names[kind], name) != 0)
        kind++;
    return kind;
}

static struct trace_delays *make_delays(const char *folder, char **words)
{
    struct trace_delays *delays = make(folder, TRACE_DELAYS_NAME, sizeof *delays);
    memcpy(delays->magic, TRACE_DELAYS_MAGIC, sizeof delays->magic);
    delays->version = TRACE_DELAYS_VERSION;
    delays->bytes = sizeof *delays;
    delays->pay_ns = 100000;
    delays->peers = 1;
    delays->target = 1;
    delays->kind = kind_of(words[0]);
    delays->classes = TRACE_WAIT_DISK | TRACE_WAIT_NETWORK | TRACE_WAIT_TIMER;
    delays->share = (uint32_t)(atof(words[1]) / 100 * TRACE_EXPERIMENT_WHOLE);
    delays->noted = delays->share == 0;
    delays->step_ns = words[3] ? (uint32_t)atoi(words[3]) * 1000 : 0;
    delays->epoch = 1;
    return delays;
}

static void renew(struct trace_delays *delays, int each_ms)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    while (poll(&input, 1, each_ms) == 0)
        __atomic_fetch_add(&delays->epoch, 1, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    make_switches(argv[1], atoi(argv[4]));
    struct trace_delays *delays = make_delays(argv[1], argv + 2);
    puts("ready");
    fflush(stdout);
    if (argc > 6)
        renew(delays, atoi(argv[6]));
    printf("granted %.3f ms, paid %.3f ms, calls %llu, processes %llu, steps %llu\n",
           (double)delays->granted_ns * 1e-6, (double)delays->paid_ns * 1e-6,
           (unsigned long long)delays->calls, (unsigned long long)delays->member_count,
           (unsigned long long)delays->steps);
    return 0;
}
