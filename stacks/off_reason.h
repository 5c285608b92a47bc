/* off_reason.h - what threads were off their processors for: a cause, and which thread's or disk's.
 *
 *     OFF_THREAD, group 3          "log-writer x 4" let it go on
 *     OFF_WRITE, device vda
 *     OFF_TIMER
 *
 * Each pair has a number, in order of first sight.
 */
#ifndef STACKS_OFF_REASON_H
#define STACKS_OFF_REASON_H

#include "base/hash_map.h"
#include "stacks/thread_group.h"

#define REASON_NOBODY UINT32_MAX

struct off_reason {
    enum off_cause cause;
    uint32_t
        whom; /* THREAD, LOCK: a group; READ, WRITE: a device (off_cpu.h); else REASON_NOBODY */
};

struct off_reasons {
    struct off_reason *items;
    size_t count, capacity;
    struct hash_map of; /* cause << 32 | whom -> 1 + number */
};

uint32_t off_reason_of(struct off_reasons *reasons, const struct thread_groups *groups,
                       const struct off_cpu *off);
/* The number of one that was seen; REASON_NOBODY: it was not. */
uint32_t off_reason_known(const struct off_reasons *reasons, const struct thread_groups *groups,
                          const struct off_cpu *off);
void off_reasons_release(struct off_reasons *reasons);

#endif
