/* extents.h - the full chunks of the trace file, so that the oldest can give their room to new
 * ones.
 *
 *     extents_retire((struct extent){offset, size, ticks, records});   its thread goes on to
 * another extents_take_oldest(&extent)              the first that was retired, for its blocks to
 * be given back
 *
 * Where the newest records are kept, what is overwritten becomes a hole, which others then have.
 * Without extents_start() nothing is remembered and nothing can be taken. Threads: all calls may
 * run at once; no locks. Private to the process.
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

/* False: there is no memory for it. */
bool extents_start(void);

/* Whether they are remembered. */
bool extents_kept(void);

/* Where too many wait to be taken, it stays as it is. */
void extents_retire(struct extent retired);

/* The oldest that was retired; false: none was. */
bool extents_take_oldest(struct extent *taken);

/* Whether there is one, or was just now. */
bool extents_any(void);

/* In the child of a fork: it has none yet. */
void extents_forked(void);

#endif
