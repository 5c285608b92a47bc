/* perf_rings.h - a ring for each processor, and the perf events that write to it.
 *
 *     perf_rings_init(&rings, processors);
 *     perf_rings_add(&rings, processor, &attr, pid)      the first one of a processor makes its ring
 *     perf_rings_enable(&rings);
 *     perf_rings_wait(&rings, milliseconds);
 */
#ifndef SAMPLER_PERF_RINGS_H
#define SAMPLER_PERF_RINGS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/ring.h"

struct perf_fd {
    int fd;
    uint32_t place;
    bool always; /* in pauses, too */
};

/* The events that give wakings' call chains; one each for soft and hard interrupts. */
struct chain_fds {
    int soft, hard;
};

struct perf_rings {
    struct ring *rings;       /* by place */
    struct pollfd *first;     /* by place: the event that made the ring; behind them `waker` */
    int waker;                /* a descriptor that ends a wait when it can be read, or -1 */
    uint32_t *processors;     /* by place */
    int *second_words;        /* by place: the event that confirms switches, or -1 */
    struct chain_fds *chains; /* by place */
    uint32_t count;
    struct perf_fd *events;
    size_t event_count, event_capacity;
    size_t ring_bytes;
};

/* What all of our events have in common. */
struct perf_event_attr perf_rings_attr(uint32_t type, uint64_t config);

void perf_rings_init(struct perf_rings *rings, size_t ring_bytes);
/* Makes the place of the processor's ring, by its first event. False and errno; ENODEV: the
 * processor is not there. */
bool perf_rings_add_ring(struct perf_rings *rings, uint32_t processor, struct perf_event_attr *attr,
                         pid_t pid);
/* The descriptor, of an event that writes to the ring of that place; or -1 and errno. */
int perf_rings_add(struct perf_rings *rings, uint32_t place, struct perf_event_attr *attr,
                   pid_t pid);
/* Closes an event that was added. */
void perf_rings_remove(struct perf_rings *rings, int fd);
/* Opens the place's second word, or closes it: merely open, such an event costs every switch of the
 * machine, recorded or not. */
void perf_rings_confirm(struct perf_rings *rings, uint32_t place, struct perf_event_attr *attr,
                        bool on);
void perf_rings_enable(struct perf_rings *rings);
/* Stops those that need not go on in a pause; enable ends it. */
void perf_rings_pause(struct perf_rings *rings);
void perf_rings_disable(struct perf_rings *rings);
/* Until a ring is a quarter full, or so long. */
void perf_rings_wait(struct perf_rings *rings, int milliseconds);
/* What the kernel counted as lost on the processor of that place, where it counts. */
uint64_t perf_rings_lost(const struct perf_rings *rings, uint32_t place);
void perf_rings_close(struct perf_rings *rings);

#endif
