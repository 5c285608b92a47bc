/* worker_pool.h - which pool a worker of the kernel's workqueues is of, by its name.
 *
 *     kworker/1:2    of processor 1, its third worker            kworker/1
 *     kworker/1:0H   the same, of high priority                  kworker/1:H
 *     kworker/u8:3   of pool 8, which is bound to no processor   kworker/u8
 *     kworker/R-nvme the rescuer of one queue                    as it is
 *
 * The kernel's names are "kworker/%u:%d%s (cpu, id, priority)" (admin-guide/kernel-per-CPU-kthreads). All
 * workers of a pool take from one list of work, whichever is free (core-api/workqueue): their numbers say
 * nothing, and the pool does. What a worker does just now, that /proc adds behind + or -, does not either.
 */
#ifndef TRACE_WORKER_POOL_H
#define TRACE_WORKER_POOL_H

#include <stdbool.h>

#include "base/str.h"

/* Appends the pool's name. False: it is no such worker's name, and nothing is appended. */
bool worker_pool_name(const char *name, struct str *pool);

#endif
