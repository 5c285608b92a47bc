/* socket_table.h - which descriptors of which processes are sockets.
 *
 *     socket_table_is(&table, pid, 7)           looked up in /proc the first time
 *     socket_table_set(&table, pid, 8)          it was accepted
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
    struct hash_map known; /* pid and descriptor -> 1: a socket, 2: something else, 0: not known */
    uint64_t gone;         /* how often it was too late to ask */
};

bool socket_table_is(struct socket_table *table, uint32_t pid, uint32_t descriptor);
void socket_table_set(struct socket_table *table, uint32_t pid, uint32_t descriptor);
/* Whether it was one, as far as was asked. */
bool socket_table_forget(struct socket_table *table, uint32_t pid, uint32_t descriptor);
void socket_table_release(struct socket_table *table);

#endif
