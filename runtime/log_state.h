/* log_state.h - the state of the calling thread: its log (log.h), its calls (frames.h), and the
 * stacks that it is on by turns (stacks.h).
 *
 *     log_self.direct        the part that the probes of calls use themselves (vprof_api.h)
 *
 * The order is that of lines of memory: what probes and sites need comes first.
 */
#ifndef RUNTIME_LOG_STATE_H
#define RUNTIME_LOG_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

struct open_call;
struct stacks;

enum log_state { LOG_NEW = 0, LOG_OPEN, LOG_PAUSED, LOG_CLOSED };

/* A site sees `direct.jumped` at one look by this bit of `sites_epoch`, which no epoch has. */
#define LOG_JUMPED (UINT32_C(1) << 31)

/* Another bit, which no epoch has either, tells that the thread is on several stacks by turns: a
 * site has to look at which it is. */
#define LOG_SEVERAL (UINT32_C(1) << 30)
#define LOG_FLAGS (LOG_JUMPED | LOG_SEVERAL)

/* A value that is no epoch tells that calls are exchanged for those of another stack. */
#define LOG_MOVING (LOG_SEVERAL - 1)

/* `direct` up to its calls is the rest of a line of memory, with what a site needs besides. */
struct log {
    /* frames.h: the calls that the thread is in */
    uintptr_t stack_low;          /* lowest address of the stack that they are on (stacks.h) */
    uintptr_t stack_bytes;        /* size of that stack; 0: it has to be asked for */
    uint32_t state;               /* enum log_state */
    uint32_t sites_epoch;         /* epoch that they were entered in (sites.h), and LOG_FLAGS */
    struct vprof_thread_1 direct; /* window, cursor and calls, which probes use themselves */

    /* log.h: the chunk that records go to */
    uint64_t size;        /* bytes of the chunk */
    uint64_t offset;      /* where the chunk is in the file */
    uint64_t window_size; /* size of the largest chunk, whose pages are used again */
    uint32_t thread;      /* number of the thread in the trace */
    bool changing;        /* the chunk is about to be another one, and takes no record meanwhile */
    bool forking;         /* the chunk may be another process's: each record asks */
    uint32_t sequence;    /* number of the next chunk */
    uint32_t drop;        /* records to drop before room is asked for again */
    uint32_t refused;     /* records refused in a row, because of an interrupted one */
    uint64_t paused_cursor;
    uint32_t paused_state;

    /* frames.h and jumps.h: more of the calls */
    uint64_t targets[VPROF_CALLS_1]; /* function that a call leads to, where it has CALL_TARGET */
    uint64_t began[VPROF_CALLS_1];   /* entry of calls that were on another stack meanwhile */
    struct open_call *outer;         /* calls that `direct.calls` has no room for; or NULL */
    uint32_t outer_count;
    bool at_site;         /* a site's slow way is at work, with numbers of calls in hand */
    bool moving;          /* calls are exchanged for those of another stack: there are none */
    uint32_t looks;       /* so many calls more are held against jumps */
    uint64_t latest_jump; /* ticks of a jump that may have led to another stack; 0: none */

    /* stacks.h and thread.h */
    uint64_t came;         /* ticks since which it is on this stack; 0: it is its first one */
    uint32_t own_kib;      /* size of the thread's own stack; 0: not known */
    struct stacks *stacks; /* all of them, once there are several; or NULL */
    uint64_t start;        /* address of the function that the thread began in; 0: not known */
} __attribute__((aligned(64)));

extern __thread struct log log_self __attribute__((tls_model("initial-exec")));

#endif
