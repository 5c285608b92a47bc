/* kernel_event.h - one thing that happened on a processor, as the kernel's perf events tell it.
 *
 * The layouts of tracepoints differ between kernels: event_layout_read asks this one. All events
 * are opened with EVENT_SAMPLE, so that each record of a ring can be told from its content alone.
 */
#ifndef SAMPLER_KERNEL_EVENT_H
#define SAMPLER_KERNEL_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampler/kernel_symbols.h"

enum { KERNEL_NAME = 16 }; /* bytes of a thread's name */

enum kernel_event_kind {
    EVENT_SWITCH,
    EVENT_WAKING,
    EVENT_CAUSE, /* what its call chain tells of a waking in an interrupt, which comes next */
    EVENT_ASKED, /* for a block request, which will be issued; without bytes: for a flush */
    EVENT_REQUEST,
    EVENT_FAULT,
    EVENT_BIRTH, /* of a thread or process */
    EVENT_NAME,
    EVENT_CAME, /* tid has got the processor, and other had it: a second word on a switch */
    EVENT_LOST
};

struct kernel_event {
    uint64_t time_ns;
    enum kernel_event_kind kind;
    uint32_t processor;
    uint32_t pid, tid;      /* who had the processor: of a switch, who had it before */
    uint32_t other;         /* SWITCH: who gets it; WAKING: who wakes up; BIRTH: the new thread */
    uint32_t other_pid;     /* of other, or 0 */
    char name[KERNEL_NAME]; /* of tid, or "" */
    char other_name[KERNEL_NAME];     /* of other, or "" */
    uint8_t state;                    /* SWITCH: enum trace_off */
    uint8_t context, interrupt, born; /* WAKING, CAUSE */
    uint8_t within;                   /* CAUSE: enum trace_context of the interrupt itself */
    uint8_t what, way;                /* REQUEST; and what follows also of ASKED */
    uint32_t device, bytes;
    uint64_t sector;
    bool exec;  /* NAME: of a program that begins */
    bool flush; /* ASKED: what was written before goes to the device first */
    uint64_t lost;
};

enum { EVENT_POINTS = 7 };
struct event_layout {
    uint64_t ids[EVENT_POINTS]; /* 0: this kernel has none */
    int16_t fields[EVENT_POINTS][6];
    const struct kernel_symbols *symbols;
    bool own_only; /* there are only switches of the run's threads, by PERF_RECORD_SWITCH */
};

#define EVENT_SAMPLE                                                                               \
    (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

/* False: not even switches and wakings are there. */
bool event_layout_read(struct event_layout *layout, int tracefs);
enum event_point {
    POINT_SWITCH,
    POINT_WAKING,
    POINT_NEW,
    POINT_FLUSH,
    POINT_INSERT,
    POINT_ISSUE,
    POINT_COMPLETE
};

/* False: it is of no interest. */
bool kernel_event_decode(struct kernel_event *event, const struct event_layout *layout,
                         const struct perf_event_header *header);

/* What a sample has besides, if its event was opened with PERF_SAMPLE_REGS_USER and
 * PERF_SAMPLE_STACK_USER: it points into the record. */
struct kernel_stack {
    const uint64_t *kernel; /* addresses, the innermost first */
    size_t kernel_count;
    const uint64_t *registers; /* NULL: it was in no process */
    bool narrow;               /* which runs a program of 32 bits */
    const char *user;          /* from the stack pointer on */
    size_t user_bytes;
};
/* False: the record is no such sample, or is cut. */
bool kernel_event_stack(struct kernel_stack *stack, const struct perf_event_header *header,
                        size_t registers);

/* A process maps something that can be executed; or becomes another program, or has just been made,
 * and nothing of what it had before is there. */
struct kernel_remap {
    uint32_t pid, maker;    /* the maker of a new process, or 0 */
    uint64_t begin, end;    /* addresses; 0 and UINT64_MAX: all */
    uint64_t offset, inode; /* of the file; no inode: of none */
    uint64_t time_ns;       /* when */
    const char *path;       /* in the record; NULL: nothing is mapped */
};
/* False: the record tells of nothing like that. */
bool kernel_event_remap(struct kernel_remap *remap, const struct perf_event_header *header);

#endif
