/* importer.h - who takes which records of the logs, and what it makes of them.
 *
 *     const struct importer pickup_importer = {.kinds = kinds, .take = take, .build = build, ...};
 *
 * A new kind of record is a struct in trace_format.h, an importer, its line in importers.c, and the
 * array that it makes in timeline.h, in an arena of its own, as all build at the same time. Only
 * `kinds` and `take` must be there. Several importers may take one kind; `wait_importer` takes all
 * that a thread does, to know whether it woke in vain. Calls are by far the most of a trace, and have
 * a way of their own (span_pages.h, span_list.h).
 */
#ifndef TRACE_IMPORTER_H
#define TRACE_IMPORTER_H

#include "trace/loading.h"
#include "trace/trace_reader.h"

/* A run is moved by this much behind those before it: to each number of its own the first one is
 * added that it has in the whole. */
struct moved {
    time_ns delay;
    uint32_t process, thread, interval, hold, stack, sampled_stack;
};

struct importer {
    bool of_recorder;           /* takes from recorders' files, else from processes' */
    const unsigned char *kinds; /* enum trace_kind; ends with 0 */
    size_t state_bytes;         /* of its own, zeros at first */
    /* A record comes, in the order of the log. Gives the ticks at which it ends, its own at
     * least. */
    uint64_t (*take)(void *state, struct loading *loading, const struct trace_record *record);
    /* The logs of a recorder's file come next. */
    void (*begin_file)(void *state, struct loading *loading, const struct trace_reader *reader);
    /* All logs of a process were read. */
    void (*end_process)(void *state, struct loading *loading);
    /* What the process has left is put in order, in whatever thread ... */
    void (*prepare)(void *state);
    /* ... and then closed, before another process comes. `build` does that for the last one. */
    void (*close_process)(void *state, struct loading *loading);
    /* All were read: the importer makes its arrays in the run. Others do so at the same time, and
     * `prepare` of the last process may still go on. */
    void (*build)(void *state, struct loading *loading);
    /* All have built theirs: one at a time, an importer may change others'. */
    void (*finish)(void *state, struct loading *loading);
    /* The arrays of several runs are put one behind the other. */
    void (*join)(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved);
    void (*release)(void *state);
};

/* The list ends with NULL. */
extern const struct importer *const importers[];

/* The number of a stack has few bits: what does not fit is not known. */
static inline uint32_t moved_stack(uint32_t stack, const struct moved *moved)
{
    uint32_t number = stack + moved->stack;
    return stack && number <= TIMELINE_STACK_MAX ? number : 0;
}

/* THREAD_NONE and INTERVAL_NONE stay. */
static inline uint32_t moved_index(uint32_t index, uint32_t by)
{
    return index == UINT32_MAX ? index : index + by;
}

#endif
