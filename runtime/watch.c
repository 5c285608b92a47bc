#include "runtime/watch.h"

#include <errno.h>
#include <stddef.h>

#include "runtime/channel.h"
#include "runtime/pages.h"
#include "runtime/waiters.h"

uint64_t *watch_table;

/* An entry is one word, so that nobody sees half of one: a descriptor in its low bits, and above
 * them what tells (set, data) apart. 0: free. */
#define ENTRY_FD(entry) ((int)((entry) & (CHANNEL_DESCRIPTORS - 1)))
#define ENTRY_KEY(entry) ((entry) & ~(uint64_t)(CHANNEL_DESCRIPTORS - 1))

static uint64_t hash_of(int set, uint64_t data)
{
    return trace_mix(trace_mix((uint64_t)(unsigned)set) ^ data) | UINT64_C(1) << 63;
}

static bool is_channel(int fd)
{
    return channel_read(fd) || channel_write(fd);
}

/* An entry is put into a slot of an equal key, else into a free or dead one, else into the first.
 */
static uint64_t *slot_for(uint64_t *table, uint64_t hash)
{
    uint64_t *found = NULL;
    for (unsigned i = 0; i < WATCH_PROBES; i++) {
        uint64_t *slot = &table[(hash + i) % WATCH_SLOTS];
        uint64_t entry = __atomic_load_n(slot, __ATOMIC_RELAXED);
        if (entry && ENTRY_KEY(entry) == ENTRY_KEY(hash))
            return slot;
        if (!found && (!entry || !is_channel(ENTRY_FD(entry))))
            found = slot;
        if (!entry)
            break;
    }
    return found ? found : &table[hash % WATCH_SLOTS];
}

void watch_add(int set, uint64_t data, int fd)
{
    int error = errno;
    uint64_t *table =
        is_channel(fd) ? pages_take_once(&watch_table, WATCH_SLOTS * sizeof *table) : NULL;
    uint64_t hash = hash_of(set, data);
    if (!table) {
        errno = error;
        return;
    }
    __atomic_store_n(slot_for(table, hash), ENTRY_KEY(hash) | (unsigned)fd, __ATOMIC_RELAXED);
    if (channel_read(fd))
        waiters_watch(channel_read(fd));
    if (channel_write(fd))
        waiters_watch(channel_write(fd));
    errno = error;
}

int watch_find(int set, uint64_t data)
{
    const uint64_t *table = __atomic_load_n(&watch_table, __ATOMIC_ACQUIRE);
    uint64_t hash = hash_of(set, data);
    for (unsigned i = 0; table && i < WATCH_PROBES; i++) {
        uint64_t entry = __atomic_load_n(&table[(hash + i) % WATCH_SLOTS], __ATOMIC_RELAXED);
        if (!entry)
            break;
        if (ENTRY_KEY(entry) == ENTRY_KEY(hash))
            return ENTRY_FD(entry);
    }
    return -1;
}
