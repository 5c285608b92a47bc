/* extents.h - the chunks of the trace file, so that the oldest can give their room to new ones.
 *
 *     uint32_t e = extents_add(offset, size);          a chunk is handed out
 *     extents_retire(e, records, now);                     its thread has gone on to another
 *     extents_take_oldest(&extent)                     of those, for its blocks to be given back
 *
 * Where the newest records are kept, the file grows in length but not in blocks: what is
 * overwritten becomes a hole. Without extents_start() nothing is remembered and nothing can be
 * taken. Threads: all calls may run at once; no locks. Private to the process.
 */
#ifndef RUNTIME_EXTENTS_H
#define RUNTIME_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#define EXTENT_NONE UINT32_MAX

struct extent {
    uint64_t offset;
    uint64_t size;    /* bytes */
    uint64_t ticks;   /* no record of it ended later */
    uint32_t records; /* that it holds */
    uint32_t state;
};

/* False: there is no memory for it. */
bool extents_start(void);

/* EXTENT_NONE: too many are in use. Such a chunk stays as it is. */
uint32_t extents_add(uint64_t offset, uint64_t size);
void extents_retire(uint32_t index, uint32_t records, uint64_t ticks);

/* The oldest that was retired; false: none was. */
bool extents_take_oldest(struct extent *taken);

/* In the child of a fork: it has none yet. */
void extents_forked(void);

#endif
