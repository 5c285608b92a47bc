#include "trace/thread_index.h"

#include <stdlib.h>

#include "base/memory.h"

static uint32_t pid_of(const struct timelines *run, uint32_t thread)
{
    return run->processes[run->threads[thread].process].pid;
}

static int compare(const void *a, const void *b, void *context)
{
    const struct timelines *run = context;
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    if (pid_of(run, p) != pid_of(run, q))
        return pid_of(run, p) < pid_of(run, q) ? -1 : 1;
    if (run->threads[p].tid != run->threads[q].tid)
        return run->threads[p].tid < run->threads[q].tid ? -1 : 1;
    if (run->threads[p].first != run->threads[q].first)
        return run->threads[p].first < run->threads[q].first ? -1 : 1;
    return p < q ? -1 : 1;
}

void thread_index_init(struct thread_index *index, const struct timelines *run)
{
    index->run = run;
    index->threads = memory_alloc(sizeof *index->threads * (run->thread_count + 1));
    for (uint32_t i = 0; i < run->thread_count; i++)
        index->threads[i] = i;
    if (run->thread_count)
        qsort_r(index->threads, run->thread_count, sizeof *index->threads, compare,
                (void *)(uintptr_t)run);
}

void thread_index_release(struct thread_index *index)
{
    memory_free(index->threads);
}

/* A thread stands before the place that is looked for if it has lesser ids, or the same and began
 * at `time` or before. */
static bool is_before(const struct thread_index *index, uint32_t place, uint32_t pid, uint32_t tid,
                      time_ns time)
{
    uint32_t thread = index->threads[place], its_pid = pid_of(index->run, thread);
    const struct timeline_thread *t = &index->run->threads[thread];
    if (its_pid != pid)
        return its_pid < pid;
    return t->tid != tid ? t->tid < tid : t->first <= time;
}

static bool has_ids(const struct thread_index *index, uint32_t place, uint32_t pid, uint32_t tid)
{
    return place < index->run->thread_count && pid_of(index->run, index->threads[place]) == pid &&
           index->run->threads[index->threads[place]].tid == tid;
}

uint32_t thread_index_find(const struct thread_index *index, uint32_t pid, uint32_t tid,
                           time_ns time)
{
    uint32_t low = 0, high = index->run->thread_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_before(index, middle, pid, tid, time))
            low = middle + 1;
        else
            high = middle;
    }
    bool before = low > 0 && has_ids(index, low - 1, pid, tid),
         after = has_ids(index, low, pid, tid);
    if (!before)
        return after ? index->threads[low] : THREAD_NONE;
    uint32_t earlier = index->threads[low - 1];
    time_ns over = time - index->run->threads[earlier].last; /* since its last record */
    if (!after || over <= 0)
        return earlier;
    uint32_t later = index->threads[low];
    return index->run->threads[later].first - time < over ? later : earlier;
}
