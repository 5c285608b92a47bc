/* ring.h - what the kernel's perf events of one processor wrote, record by record.
 *
 *     if (ring_open(&ring, fd, bytes)) ...                 the memory of a perf event
 *     while ((header = ring_peek(&ring)) != NULL) { ...; ring_pop(&ring); }
 *
 *     | popped | peeked | ... | not yet seen |     the kernel writes at head; what lies before tail
 *              tail                     head       it may overwrite
 */
#ifndef SAMPLER_RING_H
#define SAMPLER_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
    struct perf_event_mmap_page *page;
    size_t size; /* of the data behind the page, a power of two */
    uint64_t head, tail;
    union {
        struct perf_event_header header;
        char bytes[1 << 16]; /* a record that goes over the ring's end */
    } * whole;
};

/* False and errno. */
bool ring_open(struct ring *ring, int fd, size_t bytes);
/* Looks what the kernel has written by now. */
void ring_look(struct ring *ring);
/* The oldest record of those that were there at the last look, or NULL. Valid until the pop. */
const struct perf_event_header *ring_peek(struct ring *ring);
void ring_pop(struct ring *ring);
void ring_close(struct ring *ring);

#endif
