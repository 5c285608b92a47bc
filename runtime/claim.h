/* claim.h - what one thread at a time may do, where none may wait for ever.
 *
 *     static uint32_t busy;
 *     if (claim_take(&busy)) { ...; claim_release(&busy); }
 *
 * Who has it may be stopped in the middle, by a signal's handler that wants it too, or for good by
 * a fork: after some yields (false) the work is left. Signal-safe.
 */
#ifndef RUNTIME_CLAIM_H
#define RUNTIME_CLAIM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLAIM_YIELDS = 10000 };

static inline bool claim_take(uint32_t *claim)
{
    for (unsigned i = 0; __atomic_exchange_n(claim, 1, __ATOMIC_ACQUIRE); i++)
        if (i == CLAIM_YIELDS)
            return false;
        else
            syscall(SYS_sched_yield);
    return true;
}

static inline void claim_release(uint32_t *claim)
{
    __atomic_store_n(claim, 0, __ATOMIC_RELEASE);
}

#endif
