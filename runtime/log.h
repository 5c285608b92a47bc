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

#include "runtime/log_state.h"
#include "trace/trace_format.h"

/* A process hands these in before its first record. A thread that gets a log calls `opened`. Around
 * a fork each record asks `is_own`, which gives the child a log of its own where it has none yet:
 * false, and the record is lost, where nobody knows whose the log is. */
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

/* A fork stands between the first of these and one of the others. Handlers of others are called on
 * either side of it, and their records are kept: in the parent in its log, in the child in one of
 * its own, which it has from the first of them on (fork.h). Between the child's own two, while that
 * log is made, records are lost. */
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

/* log_reserve() can be had in two steps, for those who can't afford a call between them: where
 * there is no room at once, log_reserve_slow() has to be asked. */
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
