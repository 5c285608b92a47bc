/* channel.h - which file descriptors are channels: what a thread writes to, another one reads.
 *
 *     channel_add_pipe(fds);                     after pipe(fds)
 *     uint64_t object = channel_read(fds[0]);    the object that a reader waits for; 0: no channel
 *     channel_is(fds[0], object)                 ask the kernel: is the descriptor still that one?
 *
 * Known are those that rewritten code made, in this process or in those that it was forked from. A
 * descriptor closed elsewhere and used again is taken for the old one, hence channel_is() before
 * anything is recorded. Two words for each descriptor, no lock; signal-safe; errno is kept.
 */
#ifndef RUNTIME_CHANNEL_H
#define RUNTIME_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace_format.h"

#define CHANNEL_DESCRIPTORS (1u << 20)

/* Each direction has an object of trace_format.h; 0 means that it is no channel. */
struct channel {
    uint64_t read;
    uint64_t write;
};

/* The table is NULL until the first channel is made. */
extern struct channel *channel_table;

void channel_add_pipe(const int fds[2]);
void channel_add_eventfd(int fd);
void channel_add_socket_pair(const int fds[2], int type); /* as for socketpair() */
void channel_forget(int fd);

bool channel_is(int fd, uint64_t object);

/* A wait for descriptors of which none is a channel has this object. */
#define CHANNEL_UNKNOWN ((uint64_t)TRACE_CHANNEL << 48 | UINT64_C(5) << 40)

/* Bytes are read and written; but an eventfd has a number, and a pair of sockets that are no
 * streams has messages. */
enum channel_unit { CHANNEL_UNIT_BYTE, CHANNEL_UNIT_COUNT, CHANNEL_UNIT_MESSAGE };
enum channel_unit channel_unit(uint64_t object);

static inline bool channel_any(void)
{
    return __atomic_load_n(&channel_table, __ATOMIC_ACQUIRE) != 0;
}

static inline const struct channel *channel_find(int fd)
{
    struct channel *table = __atomic_load_n(&channel_table, __ATOMIC_ACQUIRE);
    return __builtin_expect(table && (unsigned)fd < CHANNEL_DESCRIPTORS, 0) ? &table[fd] : 0;
}

static inline uint64_t channel_read(int fd)
{
    const struct channel *c = channel_find(fd);
    return c ? __atomic_load_n(&c->read, __ATOMIC_RELAXED) : 0;
}

static inline uint64_t channel_write(int fd)
{
    const struct channel *c = channel_find(fd);
    return c ? __atomic_load_n(&c->write, __ATOMIC_RELAXED) : 0;
}

#endif
