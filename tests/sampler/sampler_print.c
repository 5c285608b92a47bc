/* sampler_print [-w all|own|totals] [-m MOST_BYTES] [-r RING_BYTES] [-s SHARE] [-S] [-c CLOCK_NS] [-W WAITS]
 * [-P SHARE_OF_STACKS] FOLDER COMMAND ARGUMENT... - records the kernel's side of a command, with -S its stacks
 * too, and prints the report as one JSON object. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sampler/sampler.h"

static void usage(void)
{
    fputs("usage: sampler_print [-w all|own|totals] [-m MOST] [-r RING] [-s SHARE] [-S] FOLDER "
          "COMMAND...\n",
          stderr);
    exit(2);
}

static enum trace_watched watched_of(const char *name)
{
    return strcmp(name, "own") == 0      ? TRACE_WATCHED_OWN
           : strcmp(name, "totals") == 0 ? TRACE_WATCHED_TOTALS
                                         : TRACE_WATCHED_ALL;
}

static int read_options(int argc, char **argv, struct sampler_options *options)
{
    for (int c; (c = getopt(argc, argv, "+w:m:r:s:Sc:W:P:")) != -1;)
        switch (c) {
        case 'w':
            options->at_most = watched_of(optarg);
            break;
        case 'm':
            options->most_bytes = strtoull(optarg, NULL, 0);
            break;
        case 'r':
            options->ring_bytes = strtoull(optarg, NULL, 0);
            break;
        case 'S':
            options->stacks.on = true;
            break;
        case 'c':
            options->stacks.clock_ns = strtoull(optarg, NULL, 0);
            break;
        case 'W':
            options->stacks.waits_a_second = strtod(optarg, NULL);
            break;
        case 'P':
            options->stacks.share = strtod(optarg, NULL);
            break;
        case 's':
            options->share = strtod(optarg, NULL);
            break;
        default:
            usage();
        }
    if (argc - optind < 2)
        usage();
    options->directory = argv[optind];
    return optind + 1;
}

/* The command waits until it is watched. */
static pid_t start(char **command, int *go)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 1)
            _exit(126);
        close(ends[0]);
        execvp(command[0], command);
        _exit(127);
    }
    close(ends[0]);
    *go = ends[1];
    return pid;
}

/* What the recording itself took of the processors. */
static double own_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    struct sampler_options options = {0};
    struct sampler_report report;
    struct error error;
    int command = read_options(argc, argv, &options), go = -1, status = 0;
    struct sampler *sampler = sampler_start(&options, &error);
    if (!sampler) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    pid_t pid = start(argv + command, &go);
    sampler_watch(sampler, pid);
    bool started = write(go, "", 1) == 1;
    close(go);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    printf("{\"pid\": %d, \"started\": %d, \"status\": %d, \"missing\": \"%s\", \"cure\": \"%s\", ",
           (int)pid, started, status, sampler_missing(sampler), sampler_cure(sampler));
    bool whole = sampler_stop(sampler, &report, &error);
    printf("\"whole\": %d, \"watched\": %d, \"records\": %" PRIu64 ", \"bytes\": %" PRIu64
           ", \"lost\": %" PRIu64 ", \"seconds\": %.6f, \"own_seconds\": %.6f, \"untold\": %" PRIu64
           ", \"stacks\": %" PRIu64 ", \"stacks_cut\": %" PRIu64 ", \"stacks_lost\": %" PRIu64
           "}\n",
           whole, (int)report.watched, report.records, report.bytes, report.lost, report.seconds,
           own_seconds(), report.untold, report.stacks, report.stacks_cut, report.stacks_lost);
    return 0;
}
