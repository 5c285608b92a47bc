/* call_scan.h - how far calls stand in order in a log, several looked at at a time, as the
 * processor at hand does it.
 *
 *     const struct call_scan *scan = call_scan_at(0);                            the fastest
 *     n = scan->in_order(records, most, inner, &first, &last);
 *
 * In order are calls of 16 bytes of which none began before `inner`, and none ended before `last`
 * or the one before it; `first` becomes the earliest start where that is earlier, `last` the latest
 * end. The next record is none of those, or there are no more. No state.
 */
#ifndef TRACE_CALL_SCAN_H
#define TRACE_CALL_SCAN_H

#include <stdint.h>

#include "trace/trace_format.h"

struct call_scan {
    const char *name;
    uint32_t (*in_order)(const struct trace_function *records, uint32_t most, uint64_t inner,
                         uint64_t *first, uint64_t *last);
};

/* The fastest way that this processor has, the next, ... or NULL. */
const struct call_scan *call_scan_at(uint32_t place);

#endif
