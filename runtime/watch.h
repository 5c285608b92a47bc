/* watch.h - which descriptor an event of an epoll set tells of.
 *
 *     watch_add(set, event.data.u64, fd);          after epoll_ctl(set, EPOLL_CTL_ADD, fd, &event)
 *     int fd = watch_find(set, event.data.u64);    of what epoll_wait(set) gave; -1: not known
 *
 * An event says what the program gave for the descriptor, not which it is. Only channels
 * (channel.h) are kept, in a table of fixed size: what finds no room in it is not known. Entries
 * are not taken out: what was closed is no channel any more, and its slot is used again. No lock;
 * signal-safe; errno is kept.
 */
#ifndef RUNTIME_WATCH_H
#define RUNTIME_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_SLOTS = 1 << 16, WATCH_PROBES = 8 };

/* The table is NULL until a channel is in a set. */
extern uint64_t *watch_table;

void watch_add(int set, uint64_t data, int fd);
int watch_find(int set, uint64_t data);

static inline bool watch_any(void)
{
    return __atomic_load_n(&watch_table, __ATOMIC_ACQUIRE) != 0;
}

#endif
