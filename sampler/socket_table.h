/* socket_table.h - which descriptors of which processes are sockets that others may have connected to.
 *
 *     socket_table_is(&table, pid, 7, false)    looked up in /proc the first time
 *     socket_table_set(&table, pid, 8, true)    it was accepted
 *     socket_table_set(&table, pid, 9, false)   it was connected: what it asks is no request to it
 *     socket_table_forget(&table, pid, 7)       it was closed
 *
 * What a descriptor was can be asked only as long as its process has it. One thread at a time.
 */
#ifndef SAMPLER_SOCKET_TABLE_H
#define SAMPLER_SOCKET_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"

struct socket_table {
    struct hash_map
        known;     /* pid and descriptor -> 1: a socket, 2: none, or one that the process itself
                            * connected, 0: not known */
    uint64_t gone; /* how often it was too late to ask */
};

/* `sure`: it is one, if nothing else is known of it. */
bool socket_table_is(struct socket_table *table, uint32_t pid, uint32_t descriptor, bool sure);
void socket_table_set(struct socket_table *table, uint32_t pid, uint32_t descriptor, bool is);
/* Whether it was one, as far as was asked. */
bool socket_table_forget(struct socket_table *table, uint32_t pid, uint32_t descriptor);
void socket_table_release(struct socket_table *table);

#endif
