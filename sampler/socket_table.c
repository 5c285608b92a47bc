#include "sampler/socket_table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOT_KNOWN = 0, IS_SOCKET = 1, IS_OTHER = 2 };

static uint64_t key_of(uint32_t pid, uint32_t descriptor)
{
    return (uint64_t)pid << 32 | descriptor;
}

static uint64_t look_up(struct socket_table *table, uint32_t pid, uint32_t descriptor)
{
    char path[64], target[16] = "";
    snprintf(path, sizeof path, "/proc/%u/fd/%u", pid, descriptor);
    if (readlink(path, target, sizeof target - 1) < 0) {
        table->gone++;
        return NOT_KNOWN;
    }
    return strncmp(target, "socket:", strlen("socket:")) == 0 ? IS_SOCKET : IS_OTHER;
}

bool socket_table_is(struct socket_table *table, uint32_t pid, uint32_t descriptor, bool sure)
{
    uint64_t *known = hash_map_put(&table->known, key_of(pid, descriptor));
    if (*known == NOT_KNOWN)
        *known = sure ? IS_SOCKET : look_up(table, pid, descriptor);
    return *known == IS_SOCKET;
}

void socket_table_set(struct socket_table *table, uint32_t pid, uint32_t descriptor, bool is)
{
    *hash_map_put(&table->known, key_of(pid, descriptor)) = is ? IS_SOCKET : IS_OTHER;
}

bool socket_table_forget(struct socket_table *table, uint32_t pid, uint32_t descriptor)
{
    uint64_t *known = hash_map_get(&table->known, key_of(pid, descriptor));
    bool was = known && *known == IS_SOCKET;
    if (known)
        *known = NOT_KNOWN;
    return was;
}

void socket_table_release(struct socket_table *table)
{
    hash_map_release(&table->known);
}
