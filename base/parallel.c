#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

static uint32_t processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

uint32_t parallel_jobs(uint64_t useful)
{
    const char *text = getenv("VPROFILER_JOBS");
    long wanted = text ? strtol(text, NULL, 10) : 0;
    uint64_t jobs = wanted > 0 ? (uint64_t)wanted : processors();
    if (wanted <= 0 && jobs > useful)
        jobs = useful;
    return jobs > PARALLEL_MOST ? PARALLEL_MOST : jobs ? (uint32_t)jobs : 1;
}

struct parallel_job {
    void (*work)(void *context, uint32_t job);
    void *context;
    uint32_t number;
    pthread_t thread;
    bool started;
};

static void *do_job(void *argument)
{
    const struct parallel_job *job = argument;
    job->work(job->context, job->number);
    return NULL;
}

void parallel_run(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context)
{
    struct parallel_job all[PARALLEL_MOST];
    if (jobs > PARALLEL_MOST)
        BUG("more jobs than there can be");
    for (uint32_t i = 1; i < jobs; i++) {
        all[i] = (struct parallel_job){.work = work, .context = context, .number = i};
        all[i].started = pthread_create(&all[i].thread, NULL, do_job, &all[i]) == 0;
    }
    work(context, 0);
    for (uint32_t i = 1; i < jobs; i++) {
        if (all[i].started)
            pthread_join(all[i].thread, NULL);
        else
            work(context, i);
    }
}

struct task_list {
    void (*work)(void *context, uint32_t task);
    void *context;
    uint32_t count;
    _Atomic uint32_t next;
};

static void do_tasks(void *context, uint32_t job)
{
    struct task_list *tasks = context;
    (void)job;
    for (uint32_t task; (task = atomic_fetch_add(&tasks->next, 1)) < tasks->count;)
        tasks->work(tasks->context, task);
}

void parallel_each(uint32_t tasks, void (*work)(void *context, uint32_t task), void *context)
{
    struct task_list list = {.work = work, .context = context, .count = tasks};
    parallel_run(parallel_jobs(tasks), do_tasks, &list);
}
