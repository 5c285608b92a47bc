#include "sampler/ring.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

bool ring_open(struct ring *ring, int fd, size_t bytes)
{
    void *memory = mmap(NULL, page_bytes() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return false;
    *ring = (struct ring){.page = memory, .size = bytes, .whole = memory_alloc(1 << 16)};
    return true;
}

void ring_look(struct ring *ring)
{
    ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

const struct perf_event_header *ring_peek(struct ring *ring)
{
    if (ring->tail == ring->head)
        return NULL;
    const char *data = (const char *)ring->page + page_bytes();
    size_t at = ring->tail & (ring->size - 1);
    const struct perf_event_header *header = (const void *)(data + at);
    size_t first = ring->size - at;
    if (header->size <= first)
        return header;
    memcpy(ring->whole->bytes, data + at, first);
    memcpy(ring->whole->bytes + first, data, header->size - first);
    return &ring->whole->header;
}

void ring_pop(struct ring *ring)
{
    const char *data = (const char *)ring->page + page_bytes();
    const struct perf_event_header *header = (const void *)(data + (ring->tail & (ring->size - 1)));
    ring->tail += header->size;
    __atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

void ring_close(struct ring *ring)
{
    if (ring->page)
        munmap(ring->page, page_bytes() + ring->size);
    memory_free(ring->whole);
    *ring = (struct ring){0};
}
