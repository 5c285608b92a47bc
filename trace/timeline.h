/* timeline.h - a run's trace as the analyses read it: what each thread did when.
 *
 *   thread 1  |--span serve------------------------------|
 *                |--span parse--|   |--span lock---|
 *             ^label A                 ^label none
 *                                 [block t0..t1, woken by thread 2 at t']
 *
 * Times are ns since the first calibration of the run (time_ns); only differences are meaningful.
 * Arrays of a thread are in order of time. Everything is owned by the struct timelines and read-only
 * after loading (timeline_load.h); threads may read it together. The timed calls, by far the most,
 * stay in the files where the run was opened and not loaded: read them with a span_walk.
 */
#ifndef TRACE_TIMELINE_H
#define TRACE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "trace/trace_format.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

typedef int64_t time_ns;

#define THREAD_NONE UINT32_MAX
#define INTERVAL_NONE UINT32_MAX
#define SPAN_NONE UINT32_MAX
#define HOLD_NONE 0u

/* One call of a timed function or call site. A parent stands before its children. */
struct span {
    time_ns start;
    time_ns end;
    uint32_t probe;
    uint32_t parent; /* index in the same thread's spans, or SPAN_NONE */
    uint64_t target; /* address of an indirect callee, or 0 */
    uint64_t part;   /* 0: the whole call; else SPAN_PART of the call that this is a part of */
};

/* The parts of a call that others' stacks came between have this in common with each other and with
 * no other call of their probe and process; it also tells which is the first. */
#define SPAN_PART(began_ticks, first) ((uint64_t)(began_ticks) << 1 | (first))
#define SPAN_PART_IS_FIRST(part) (((part)&1) != 0)

/* A label says that the thread works for `interval` (or INTERVAL_NONE) from `time` on. */
struct label {
    time_ns time;
    uint32_t interval;
};

/* The thread was blocked. Blocks of one thread do not overlap. */
struct block {
    time_ns start, end;
    uint64_t object;     /* the same number in all processes that share the object */
    uint32_t site;       /* probe of the call that blocked, or 0 */
    uint32_t operation;  /* enum trace_operation, or BLOCK_OFF_CPU */
    uint32_t waker;      /* index of the thread that ended the block, or THREAD_NONE */
    uint32_t waker_site; /* probe of the release, or 0 */
    time_ns waker_time;  /* start <= waker_time <= end */
    bool in_vain : 1;    /* the next block of the object and operation is the same wait again */
    bool gave_up : 1;    /* by a time-out, a signal or cancellation: nobody ended it */
    uint32_t waker_stack : 24; /* of the release: index in the run's stacks; 0: unknown */
    uint32_t hold;    /* 1 + the waker's, where it began within the block (hold.h); HOLD_NONE */
    uint64_t address; /* of the object in the thread's process; 0: not known */
};

/* The thread picked up a task: a dequeue, or its own start. */
struct pickup {
    time_ns time;
    uint32_t creator;       /* thread index; THREAD_NONE: it was never enqueued in this trace */
    uint32_t creator_site;  /* probe, or 0 */
    time_ns creation_time;  /* <= time */
    uint32_t site;          /* probe, or 0 */
    uint32_t creator_stack; /* of a thread's start: where it was created, as in struct block */
};

/* Words of a thread's stack that point into the program's code, the innermost first: returns of the
 * calls that it was in, and some of earlier ones. */
struct caller_stack {
    uint32_t process;
    uint32_t count;
    const uint64_t *addresses;
};
#define TIMELINE_STACK_MAX ((1u << 24) - 1)

struct timeline_thread {
    uint32_t process; /* index */
    uint32_t tid;     /* the kernel's */
    uint64_t pthread; /* 0: unknown */
    uint64_t routine; /* address of its start function; 0: unknown */
    const char *name; /* that it gave itself, or had from who made it; "" where it is not known */
    time_ns first;    /* all that the thread recorded lies in [first, last] */
    time_ns last;
    struct span_pages *pages; /* where the spans are, if not NULL */
    struct span *spans;
    uint32_t span_count;
    struct label *labels;
    uint32_t label_count;
    struct block *blocks;
    uint32_t block_count;
    struct pickup *pickups;
    uint32_t pickup_count;
    const struct off_cpu *offs;        /* off_cpu.h; NULL: not recorded */
    uint32_t off_count, delay_count, *block_offs; /* by block: 1 + the last of them in it, or 0; or NULL */
    const struct thread_delay *delays;            /* experiment.h; by time */
};

struct interval_value {
    const char *name;
    int64_t value;
};
/* An instance of an interval; in order of `begin`. */
struct interval {
    uint64_t id;
    time_ns begin;
    time_ns end;
    uint32_t begin_thread;
    uint32_t end_thread;
    uint32_t process;
    bool complete;    /* SI_END was reached, and all of it counts */
    bool begun_again; /* it was not, and its id begins another one at `end` */
    uint32_t value_count;
    struct interval_value *values;
    const char *type; /* "" where none was given */
};

struct timeline_process {
    uint32_t pid, parent_pid;
    const char *program;
    const char *maps;          /* text of /proc/self/maps, "" where there is none */
    const char **earlier_maps; /* what was mapped before, the latest first */
    uint32_t earlier_count;
    bool killed; /* the process did not end by itself */
    uint64_t lost_records;
    uint32_t hook_tables;
    uint64_t probe_cost; /* of a timed call, in ns * 2^-16; 0: it is not known */
};

struct timelines {
    struct arena arena, waits, tasks, kernel, scheduler, points, experiment_arena;
    struct timeline_process *processes;
    uint32_t process_count;
    struct timeline_thread *threads;
    uint32_t thread_count;
    struct interval *intervals;
    struct caller_stack *stacks; /* from 1 */
    uint32_t interval_count, stack_count;
    struct hold *holds; /* hold.h */
    uint32_t hold_count;
    struct stack_sample *samples;         /* by time (sample.h) */
    struct sampled_stack *sampled_stacks; /* from 1; NULL: there are none */
    uint32_t sample_count, sampled_stack_count;
    struct wait_stacks *wait_stacks; /* sample.h; NULL: none were recorded */
    struct kernel_side *kernel_side; /* off_cpu.h; NULL: it was not recorded */
    struct point_hits *point_hits;   /* point.h; NULL: no points were watched */
    struct experiments *experiments; /* experiment.h; NULL: none, or of several runs */
    enum trace_watched watched; /* of the kernel's scheduler, of each process at least so much */
    uint64_t kernel_lost, total_ran_ns, total_runnable_ns; /* its records; what all threads did */
    uint64_t marks[16];                         /* by enum vprof_mark_1: how many were recorded */
    uint64_t lost_records, overwritten_records; /* of all processes; room was given to newer ones */
    uint32_t intervals_cut;       /* incomplete because records of their time were overwritten */
    uint32_t intervals_outside;   /* left out, because they lie outside their file's window */
    uint32_t processes_unchanged; /* whose calls are not timed: code could not be changed */
    const char *clock;            /* "tsc", "cntvct", "monotonic" */
    const char **damage;          /* a sentence for each file that could not be read whole */
    struct trace_reader *readers; /* files that pages are read from */
    uint32_t damage_count, reader_count;
};

/* The result is the index of the last element with .time/.start <= time, or -1. */
int64_t timeline_label_at(const struct timeline_thread *thread, time_ns time);
int64_t timeline_block_before(const struct timeline_thread *thread, time_ns time);
/* A label or block is found sooner the nearer it is to where it was the last time; *known is 0 at
 * first. */
int64_t timeline_label_near(const struct timeline_thread *thread, time_ns time, uint32_t *known);
int64_t timeline_block_near(const struct timeline_thread *thread, time_ns time, uint32_t *known);

#endif
