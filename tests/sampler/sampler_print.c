/* sampler_print [-w all|own|totals] [-m MOST_BYTES] [-r RING_BYTES] [-s SHARE] [-S] [-c CLOCK_NS] [-W WAITS]
 * [-b BYTES_OF_STACKS] [-R RING_OF_STACKS]
 * [-Q SHARE_OF_STACKS] [-p PID] FOLDER COMMAND ARGUMENT... - records the kernel's side of a command (and of a
 * process besides), with -S its stacks too, and prints the report as one JSON object. Points of PROGRAM are
 * watched by -P PROGRAM and -I FUNCTION, -B BEGIN -E END, -U PROBES, -D, where -N ID stands before what it is
 * of, and -K lets the kernel tell of returns. */
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

/* ---- points ---- */

static struct point_wishes wishes;
static struct point_plan plan;
static const char *program, *begin_of, *id_of;
static pid_t watched;

static void check(bool ok, const struct error *error)
{
    if (ok)
        return;
    printf("{\"refused\": \"%s\"}\n", error->message);
    exit(3);
}

static void read_point(int option, const char *text)
{
    struct error error;
    switch (option) {
    case 'I':
        check(point_wishes_add_interval(&wishes, text, &error), &error);
        break;
    case 'B':
        begin_of = text;
        break;
    case 'E':
        check(point_wishes_add_span(&wishes, begin_of, text, id_of, &error), &error);
        break;
    case 'U':
        check(point_wishes_add_usdt(&wishes, text, id_of, &error), &error);
        break;
    case 'K':
        wishes.kernel_returns = true;
        break;
    case 'D':
        check(point_wishes_add_descriptor(&wishes, &error), &error);
        break;
    default:
        usage();
    }
}

static void plan_points(struct sampler_options *options)
{
    struct error error;
    if (!wishes.count)
        return;
    check(point_plan_make(&plan, &wishes, program, &error), &error);
    options->points = &plan;
}

static enum trace_watched watched_of(const char *name)
{
    return strcmp(name, "own") == 0      ? TRACE_WATCHED_OWN
           : strcmp(name, "totals") == 0 ? TRACE_WATCHED_TOTALS
                                         : TRACE_WATCHED_ALL;
}

static int read_options(int argc, char **argv, struct sampler_options *options)
{
    for (int c; (c = getopt(argc, argv, "+w:m:r:s:Sc:W:Q:b:R:p:P:I:B:E:N:U:DK")) != -1;)
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
        case 'b':
            options->stacks.most_bytes = strtoull(optarg, NULL, 0);
            break;
        case 'R':
            options->stacks.ring_bytes = strtoull(optarg, NULL, 0);
            break;
        case 'Q':
            options->stacks.share = strtod(optarg, NULL);
            break;
        case 's':
            options->share = strtod(optarg, NULL);
            break;
        case 'p':
            watched = atoi(optarg);
            break;
        case 'P':
            program = optarg;
            break;
        case 'N':
            id_of = optarg;
            break;
        default:
            read_point(c, optarg);
        }
    if (argc - optind < 2)
        usage();
    plan_points(options);
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
    if (watched)
        sampler_watch(sampler, watched);
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
           ", \"hits\": %" PRIu64 ", \"hits_lost\": %" PRIu64 ", \"hits_of_others\": %" PRIu64
           ", \"hits_pauses\": %" PRIu64 ", \"notes\": \"%s\"}\n",
           whole, (int)report.watched, report.records, report.bytes, report.lost, report.seconds,
           own_seconds(), report.untold, report.stacks, report.stacks_cut, report.stacks_lost,
           report.hits, report.hits_lost, report.hits_of_others, report.hits_pauses,
           str_text(&plan.notes));
    point_plan_release(&plan);
    point_wishes_release(&wishes);
    return 0;
}
