/* free_ranges.h - ranges of the trace file whose blocks were given back, for new chunks to take.
 *
 *     free_ranges_put(offset, size);
 *     offset = free_ranges_take(size);      0: there is none
 *
 * The file is not longer than it has to be, as its length may be limited, too. Sizes are powers of
 * two of pages, up to FREE_RANGES_MAX_BYTES; a larger range is taken in halves. A range that finds
 * no slot here is never used again. Threads may make all calls at once; no locks. Private to the
 * process.
 */
#ifndef RUNTIME_FREE_RANGES_H
#define RUNTIME_FREE_RANGES_H

#include "trace/trace_format.h"

enum { FREE_RANGES_SIZES = 7 };
#define FREE_RANGES_MAX_BYTES ((uint64_t)TRACE_PAGE << (FREE_RANGES_SIZES - 1))

void free_ranges_put(uint64_t offset, uint64_t size);
uint64_t free_ranges_take(uint64_t size);

/* The child of a fork has a file of its own. */
void free_ranges_forked(void);

#endif
