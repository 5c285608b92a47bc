/* scheduler_totals.h - how long each thread ran and waited for a processor, asked of /proc now and
 * then: TRACE_WATCHED_TOTALS, where nothing else is allowed. The last record of a thread counts.
 */
#ifndef SAMPLER_SCHEDULER_TOTALS_H
#define SAMPLER_SCHEDULER_TOTALS_H

#include <sys/types.h>

#include "sampler/recorder_file.h"
#include "sampler/task_table.h"

struct thread_total {
    struct trace_totals totals; /* as of late */
    uint64_t time_ns;
    bool written;
};

struct scheduler_totals {
    struct recorder_file *file; /* borrowed */
    struct task_table tasks;
    pid_t *pids;
    size_t pid_count, pid_capacity;
    struct hash_map places; /* 1 + place, by tid */
    struct thread_total *threads;
    size_t count, capacity;
};

void scheduler_totals_init(struct scheduler_totals *totals, struct recorder_file *file);
void scheduler_totals_watch(struct scheduler_totals *totals, pid_t pid);
void scheduler_totals_read(struct scheduler_totals *totals);
/* Reads once more, and writes a record of each thread. */
void scheduler_totals_finish(struct scheduler_totals *totals);
void scheduler_totals_release(struct scheduler_totals *totals);

#endif
