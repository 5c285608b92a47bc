/* request_memory.h - of whom a block request is that a worker of the kernel hands to its device.
 *
 *     thread 7 asks for sector 800     kblockd's worker issues 800 to the disk
 *          request_memory_note              request_memory_take -> 7
 *
 * Of a queue that is run later by a worker (kblockd) the one who has the processor at the issue says
 * nothing: whom the request is of is who had it when the request came into the queue. A flush moves
 * nothing, and the kernel makes one of several that are asked for: it is of the latest who asked. The latest
 * REQUEST_MEMORY are known at the most; a request that came with another sector, because one before
 * it was joined to it, is not. Zeroed, it is empty.
 */
#ifndef SAMPLER_REQUEST_MEMORY_H
#define SAMPLER_REQUEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* More than devices' queues hold, mostly (chosen): a power of two. */
enum { REQUEST_MEMORY = 4096 };

#define REQUEST_FLUSH UINT64_MAX /* its sector */

struct remembered_request {
    uint64_t sector;
    uint32_t device;
    uint32_t tid; /* 0: there is none in this place */
};

struct request_memory {
    struct remembered_request
        places[REQUEST_MEMORY]; /* by device and sector; the latest one stays */
};

/* The thread asked for it; `worker`: of the kernel, who may do so for another one that did before. */
void request_memory_note(struct request_memory *memory, uint32_t device, uint64_t sector,
                         uint32_t tid, bool worker);
/* Who asked for it, and it is forgotten; `otherwise` where that is not known. */
uint32_t request_memory_take(struct request_memory *memory, uint32_t device, uint64_t sector,
                             uint32_t otherwise);

#endif
