/* log.h - the calling thread's log: where records go.
 *
 *     struct trace_mark *r = log_reserve(sizeof *r);     null: no room, and counted as lost
 *     r->id = ...;                                       body first,
 *     log_commit(&r->head, ticks, TRACE_MARK);           head last: it makes the record exist
 *
 *   window |ch| record | record |   free   |  no access  |
 *          0                    cursor     limit = size  WINDOW_BYTES
 *
 * A window stays at one address for the life of its thread. Its first chunks double in size; each
 * new one is mapped over the old one. One that fills the window stays mapped: a copy of it is added
 * to the file whenever it is full, and its pages take the thread's next chunk (trace_format.h:
 * WINDOW).
 *
 * A record is taken by a single add to the cursor, so a signal handler's records fall behind
 * the ones that it interrupted. `open` counts the records of this thread that were taken and not
 * committed: while it shows an interrupted one, no chunk is changed under it, and a handler that
 * needs a new chunk loses its record instead.
 *
 * No locks, no allocation; errno is kept; signal-safe.
 */
#ifndef RUNTIME_LOG_H
#define RUNTIME_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace_format.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

enum log_state { LOG_NEW = 0, LOG_OPEN, LOG_PAUSED, LOG_CLOSED };

/* A site sees `direct.jumped` at one look by this bit, which no epoch has. */
#define LOG_JUMPED (UINT32_C(1) << 31)

/* This bit, which no epoch has either, tells that the thread is on several stacks by turns: a site
 * has to look at which it is. */
#define LOG_SEVERAL (UINT32_C(1) << 30)
#define LOG_FLAGS (LOG_JUMPED | LOG_SEVERAL)
#define LOG_MOVING (LOG_SEVERAL - 1) /* no epoch either */

/* `direct` up to its calls is the rest of a line of memory, with what a site needs besides. */
struct log {
    uintptr_t stack_low;          /* the stack that the calls are on (stacks.h) */
    uintptr_t stack_bytes;        /* 0: it has to be asked for */
    uint32_t state;               /* enum log_state */
    uint32_t sites_epoch;         /* the calls were entered in (sites.h), and LOG_FLAGS */
    struct vprof_thread_1 direct; /* what probes use themselves; the calls are frames.h's */
    uint64_t size;                /* of the chunk */
    uint64_t offset;              /* of the chunk, in the file */
    uint64_t window_size;         /* the largest chunk's, whose pages are used again */
    uint32_t thread;              /* number in the trace */
    bool changing;                /* the chunk, which takes no record meanwhile */
    bool forking;                 /* the chunk may be another process's: each record asks */
    uint32_t sequence;            /* of the next chunk */
    uint32_t drop;                /* records to drop before room is asked for again */
    uint32_t refused;             /* in a row, because of an interrupted record */
    uint64_t paused_cursor;
    uint32_t paused_state;
    uint64_t targets[VPROF_CALLS_1]; /* of those calls that sites entered and that have one */
    uint64_t began[VPROF_CALLS_1];   /* of those that were on another stack meanwhile: at first */
    struct open_call *outer;         /* frames.h's, for whom `direct.calls` has no room; or NULL */
    uint32_t outer_count;
    bool at_site;   /* a site's slow way is at work, with numbers of calls in hand */
    bool moving;    /* calls are exchanged for those of another stack: there are none meanwhile */
    uint32_t looks; /* so many calls more are held against jumps */
    uint64_t latest_jump;  /* ticks */
    uint64_t came;         /* ticks: since then it is on this stack; 0: on its first one */
    uint32_t own_kib;      /* of its own stack; 0: not known */
    struct stacks *stacks; /* once there are several */
    uint64_t start;        /* address of the function that the thread began in; 0: not known */
} __attribute__((aligned(64)));

extern __thread struct log log_self __attribute__((tls_model("initial-exec")));

/* This comes before the first record. A thread that gets a log calls `opened`. Around a fork each
 * record asks `is_own`, which gives the child a log of its own where it has none yet: false, and
 * the record is lost, where nobody knows whose the log is. */
void log_start_up(void (*opened)(void), bool (*is_own)(void));

/* log_reserve() comes here where the chunk or its touched part ends. */
void *log_reserve_slow(uint64_t at, uint64_t size);

/* The thread's name as it is now goes into its log. */
void log_name_thread(void);

/* The thread writes no more records, and gives the window back. */
void log_close(void);

/* Between these all records are lost. */
void log_pause(void);
void log_resume(void);

/* These stand around a fork. Handlers of others are called on either side of it, and their records
 * are kept: in the parent in its log, in the child in one of its own, which it has from the first
 * of them on (fork.h). Between the child's own two, while that log is made, records are lost. */
void log_fork_begin(void);
void log_fork_parent(void);
void log_fork_child_begin(void);
void log_fork_child_end(void);

static inline uint64_t log_take(uint64_t size)
{
#if defined(__x86_64__)
    /* The add is not locked, as its only rivals are handlers on this thread. */
    __asm__ volatile("xaddq %0, %1" : "+r"(size), "+m"(log_self.direct.cursor) : : "cc");
    return size;
#else
    return __atomic_fetch_add(&log_self.direct.cursor, size, __ATOMIC_RELAXED);
#endif
}

/* These are log_reserve() in two steps, for who can't afford a call between them: where there is no
 * room at once, log_reserve_slow() has to be asked. */
static inline uint64_t log_begin(uint64_t size)
{
    log_self.direct.open++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return log_take(size);
}

static inline bool log_has_room(uint64_t at, uint64_t size)
{
    return __builtin_expect(at + size <= log_self.direct.limit, 1);
}

static inline void *log_reserve(uint64_t size)
{
    uint64_t at = log_begin(size);
    return log_has_room(at, size) ? log_self.direct.window + at : log_reserve_slow(at, size);
}

/* A record that there is no room for is dropped and counted, without a look at anything else. */
static inline bool log_may_drop(void)
{
    bool may =
        log_self.drop && !log_self.changing && !log_self.forking && log_self.state == LOG_OPEN;
    log_self.drop -= may;
    return may;
}

static inline void log_commit(uint64_t *head, uint64_t ticks, unsigned kind)
{
    __atomic_store_n(head, TRACE_HEAD(ticks, kind), __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_self.direct.open--;
}

/* A call that ended as most do, and not too late, has this record. */
static inline void log_function(struct trace_function *r, uint64_t start, uint64_t duration_probe)
{
    r->duration_probe = duration_probe;
    log_commit(&r->head, start, TRACE_FUNCTION);
}

/* Where log_has_room() says no, which probes and sites may find out by themselves, the same record
 * takes this way. */
void log_function_slow(uint64_t at, uint64_t start, uint64_t duration_probe);

#endif
