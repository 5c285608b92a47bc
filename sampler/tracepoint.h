/* tracepoint.h - the number of a tracepoint of this kernel, and where its fields lie.
 *
 *     int tracefs = tracepoint_folder();              -1 and errno: not readable
 *     struct tracepoint waking;
 *     if (tracepoint_read(&waking, tracefs, "sched/sched_waking"))
 *         tracepoint_field(&waking, "pid")            its offset in the record
 *     tracepoint_release(&waking);
 *
 * Where the kernel's folder of them is not mounted, it is opened without being mounted anywhere:
 * nobody else sees it, and it is gone with the descriptor.
 */
#ifndef SAMPLER_TRACEPOINT_H
#define SAMPLER_TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct tracepoint {
    uint64_t id; /* 0: this kernel has none of that name */
    struct str format;
};

int tracepoint_folder(void);
bool tracepoint_read(struct tracepoint *tracepoint, int folder, const char *name);
/* -1: it has no such field. */
int tracepoint_field(const struct tracepoint *tracepoint, const char *name);
void tracepoint_release(struct tracepoint *tracepoint);

#endif
