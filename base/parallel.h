/* parallel.h - one piece of work, done by several threads.
 *
 *     uint32_t jobs = parallel_jobs(count / 1000);
 *     parallel_run(jobs, fill_part, parts);       fill_part(parts, 0), fill_part(parts, 1), ...
 *
 * Each call has a thread of its own, the first one the caller's; where no thread can be made, the
 * caller does its work, too. Returns when all is done. The result must not depend on the number of
 * jobs: that is the host's.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdint.h>

/* The jobs are VPROFILER_JOBS, else the processors, but not more than `useful`; from 1 to
 * PARALLEL_MOST. */
enum { PARALLEL_MOST = 8 };
uint32_t parallel_jobs(uint64_t useful);

void parallel_run(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context);

/* The tasks can be any number, and are begun in their order by whichever thread is free. */
void parallel_each(uint32_t tasks, void (*work)(void *context, uint32_t task), void *context);

/* The share of job `job` of `jobs` in `count` things goes from the first up to that of job + 1. */
static inline uint64_t parallel_share(uint64_t count, uint32_t jobs, uint32_t job)
{
    return (uint64_t)((unsigned __int128)count * job / jobs);
}

#endif
