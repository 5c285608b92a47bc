/* thread_index.h - which thread of a run the kernel means by a process, a thread id and a moment.
 *
 *     struct thread_index index;
 *     thread_index_init(&index, &run);
 *     uint32_t thread = thread_index_find(&index, pid, tid, time);      THREAD_NONE: not of the run
 *
 * The kernel uses ids again. Of threads of one id it is the one that had recorded something before
 * the moment and again after it; else the one that recorded nearest to it, for a thread is there
 * before its first record and after its last. O(log n). Borrows the run.
 */
#ifndef TRACE_THREAD_INDEX_H
#define TRACE_THREAD_INDEX_H

#include "trace/timeline.h"

struct thread_index {
    const struct timelines *run;
    uint32_t *threads; /* by pid, tid and first record */
};

void thread_index_init(struct thread_index *index, const struct timelines *run);
void thread_index_release(struct thread_index *index);
uint32_t thread_index_find(const struct thread_index *index, uint32_t pid, uint32_t tid,
                           time_ns time);

#endif
