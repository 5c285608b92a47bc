/* extents.h - the full chunks of the trace file: the oldest give their room to new ones.
 *
 *     extents_retire((struct extent){offset, size, ticks, records});   its thread has another one
 *     extents_take_oldest(&extent);                                    its room is given back
 *
 * Where the newest records are kept, what is overwritten becomes a hole, which others then have.
 * Without extents_start() nothing is remembered and nothing can be taken. Threads may make all
 * calls at once; no locks. Private to the process.
 */
#ifndef RUNTIME_EXTENTS_H
#define RUNTIME_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

struct extent {
    uint64_t offset;
    uint64_t size;    /* bytes */
    uint64_t ticks;   /* no record of it ended later */
    uint32_t records; /* that it holds */
    uint32_t state;
};

/* Extents are remembered from here on; false: there is no memory for them. */
bool extents_start(void);

/* Extents are remembered: extents_start() was called, and there was memory. */
bool extents_kept(void);

/* An extent stays in the file where too many wait to be taken. */
void extents_retire(struct extent retired);

/* The oldest extent that was retired is taken; false: none was. */
bool extents_take_oldest(struct extent *taken);

/* An extent waits to be taken, or did just now. */
bool extents_any(void);

/* The child of a fork has none yet. */
void extents_forked(void);

#endif
