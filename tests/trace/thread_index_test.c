/* thread_index.h against a look at every thread, for ids that are used again. */
#include "check.h"

#include <stdlib.h>

#include "trace/thread_index.h"

enum { PIDS = 3, TIDS = 4, THREADS = 40, MOMENTS = 20000 };

static uint32_t state = 1;

static uint32_t random_below(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

/* Threads of one id follow each other, with a gap or without. */
static void fill(struct timelines *run)
{
    time_ns busy_until[PIDS][TIDS] = {{0}};
    for (uint32_t p = 0; p < PIDS; p++)
        run->processes[p] = (struct timeline_process){.pid = 100 + p};
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t pid = random_below(PIDS), tid = random_below(TIDS);
        time_ns first = busy_until[pid][tid] + random_below(30) + 1;
        run->threads[t] = (struct timeline_thread){
            .process = pid, .tid = 10 + tid, .first = first, .last = first + random_below(20)};
        busy_until[pid][tid] = run->threads[t].last;
    }
}

static time_ns distance(const struct timeline_thread *thread, time_ns time)
{
    if (time < thread->first)
        return thread->first - time;
    return time > thread->last ? time - thread->last : 0;
}

/* The nearest; the later one of two that are as near. */
static uint32_t nearest(const struct timelines *run, uint32_t pid, uint32_t tid, time_ns time)
{
    uint32_t best = THREAD_NONE;
    for (uint32_t t = 0; t < run->thread_count; t++) {
        const struct timeline_thread *thread = &run->threads[t];
        if (run->processes[thread->process].pid != pid || thread->tid != tid)
            continue;
        if (best == THREAD_NONE || distance(thread, time) < distance(&run->threads[best], time))
            best = t;
    }
    return best;
}

int main(void)
{
    struct timeline_process processes[PIDS];
    struct timeline_thread threads[THREADS];
    struct timelines run = {
        .processes = processes, .process_count = PIDS, .threads = threads, .thread_count = THREADS};
    struct thread_index index;
    fill(&run);
    thread_index_init(&index, &run);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        uint32_t pid = 99 + random_below(PIDS + 2), tid = 9 + random_below(TIDS + 2);
        time_ns time = random_below(400);
        CHECK(thread_index_find(&index, pid, tid, time) == nearest(&run, pid, tid, time));
    }
    thread_index_release(&index);
    struct timelines empty = {.thread_count = 0};
    thread_index_init(&index, &empty);
    CHECK(thread_index_find(&index, 1, 1, 0) == THREAD_NONE);
    thread_index_release(&index);
    return CHECK_DONE();
}
