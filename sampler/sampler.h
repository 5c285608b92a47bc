/* sampler.h - records the kernel's side of a run from outside: who had which processor, who woke
 * whom, what the disks did. One more file of the run's trace, "kernel.vtr".
 *
 *     struct sampler *sampler = sampler_start(&(struct sampler_options){.directory = trace}, &error);
 *     ... the program starts, runs and ends ...
 *     sampler_watch(sampler, pid);               with all its threads and children; may be late
 *     struct sampler_report report;
 *     sampler_stop(sampler, &report);            the file is whole
 *
 * A thread of ours empties the kernel's rings (perf_event_open, one for each processor, all on
 * CLOCK_MONOTONIC), puts what they hold in order of time and writes what has to do with the watched
 * processes: their switches and wakings, and of others those that woke them or ran while one of them
 * was runnable. Nothing of a program is touched. Without the right to all of it, it records less:
 * `watched` says what, and `sampler_missing` what the right is that it lacks.
 *
 * All functions are called from one thread. Nothing of the caller's is kept but the options' texts.
 */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "sampler/point_plan.h"
#include "sampler/stack_wish.h"
#include "trace/trace_format.h"

#define SAMPLER_FILE "kernel.vtr"

struct sampler_options {
    const char *directory;      /* of the run's trace; exists */
    uint64_t most_bytes;        /* of the file; the oldest records make room; 0: no bound */
    uint64_t ring_bytes;        /* of each processor, a power of two; 0: 4 MiB */
    enum trace_watched at_most; /* no more than this is asked for; NOTHING: all that is allowed */
    double share;     /* of all processors that recording may take, or it pauses; 0: all it needs */
    uint64_t free_ns; /* so much of a processor it may take before that */
    struct stack_wish stacks;        /* of waits, wakings and what runs, in a file of their own */
    const struct point_plan *points; /* in one more file; borrowed until the stop; NULL: none */
};

struct sampler_report {
    enum trace_watched watched;
    uint64_t records; /* that were written */
    uint64_t bytes;
    uint64_t lost; /* by the kernel's rings, or for want of room */
    /* Switches away from threads, idle ones among them, of which the kernel tells no tracepoint:
     * nor does it tell what else happened while they had the processor, as wakings by a disk. */
    uint64_t untold;
    uint64_t stacks, stacks_cut, stacks_lost; /* stack_recorder.h */
    uint64_t hits, hits_lost, hits_of_others; /* point_recorder.h */
    uint64_t hits_pauses;
    double seconds;
};

struct sampler;

/* NULL and an error where not even the file can be written. Recording has begun on return. */
struct sampler *sampler_start(const struct sampler_options *options, struct error *error);
/* The process, its threads, and what they create from now on, are the run's. False and errno: of some of its
 * threads nothing will be recorded. */
bool sampler_watch(struct sampler *sampler, pid_t pid);
enum trace_watched sampler_watched(const struct sampler *sampler);
/* Whether the points that were asked for are watched; where not, `sampler_missing` says why. */
bool sampler_has_points(const struct sampler *sampler);
/* What could not be recorded, and the cure: a sentence each, valid until stop; "" where all was. */
const char *sampler_missing(const struct sampler *sampler);
const char *sampler_cure(const struct sampler *sampler);
/* Ends the recording and frees the sampler. False: the file could not be written whole. */
bool sampler_stop(struct sampler *sampler, struct sampler_report *report, struct error *error);

#endif
