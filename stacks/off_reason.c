#include "stacks/off_reason.h"

#include "base/memory.h"

static uint32_t whom_of(const struct thread_groups *groups, const struct off_cpu *off)
{
    switch ((enum off_cause)off->cause) {
    case OFF_THREAD:
    case OFF_LOCK:
        return off->waker == TASK_NONE || off->waker == TASK_IDLE ? REASON_NOBODY
                                                                  : groups->of_task[off->waker];
    case OFF_READ:
    case OFF_WRITE:
        return off->device;
    case OFF_RUNNABLE:
    case OFF_UNKNOWN:
    case OFF_TIMER:
    case OFF_NETWORK:
    case OFF_INTERRUPT:
    case OFF_CAUSES:
        break;
    }
    return REASON_NOBODY;
}

static uint64_t key_of(const struct off_reason *reason)
{
    return (uint64_t)reason->cause << 32 | reason->whom;
}

uint32_t off_reason_known(const struct off_reasons *reasons, const struct thread_groups *groups,
                          const struct off_cpu *off)
{
    struct off_reason reason = {(enum off_cause)off->cause, whom_of(groups, off)};
    const uint64_t *known = hash_map_get(&reasons->of, key_of(&reason));
    return known ? (uint32_t)*known - 1 : REASON_NOBODY;
}

uint32_t off_reason_of(struct off_reasons *reasons, const struct thread_groups *groups,
                       const struct off_cpu *off)
{
    struct off_reason reason = {(enum off_cause)off->cause, whom_of(groups, off)};
    uint64_t *known = hash_map_put(&reasons->of, key_of(&reason));
    if (!*known) {
        VEC_PUSH(reasons->items, reasons->count, reasons->capacity) = reason;
        *known = reasons->count;
    }
    return (uint32_t)*known - 1;
}

void off_reasons_release(struct off_reasons *reasons)
{
    memory_free(reasons->items);
    hash_map_release(&reasons->of);
    *reasons = (struct off_reasons){0};
}
