/* device_idle.h - whom a block device waits for: while none of its requests is in flight, it is idle.
 *
 *     disk     |- idle -|== 7's ==|----- idle -----|== 9's ==|-- idle --|       unended: the last one
 *     ends by           7                          9         |         until
 *
 * An idle stretch is charged to the thread whose request ends it: that thread is whom the device waited
 * for. The one after the last request, or before a pause of the recorder, nobody ended. Of each device
 *     what its edges have + unended + busy = the time that was recorded, to the ns
 *
 * An edge of a device is as one of a thread (cascade.h), told by what stands behind it:
 *     raw       the idle stretches
 *     cascaded  the same: nobody is behind an idle device, or it would have a request
 *     leaf      of raw, what the charged thread did not wait itself
 * The sweep of cascade.h knows nothing of them, so that what threads wait is not changed by it.
 */
#ifndef WAITS_DEVICE_IDLE_H
#define WAITS_DEVICE_IDLE_H

#include "waits/cascade.h"

struct device_use {
    uint32_t vertex;
    uint64_t requests;
    time_ns busy, idle, unended; /* idle: what its edges have */
};

struct device_idle {
    struct cascade_edge *edges;
    size_t edge_count, edge_capacity;
    struct device_use *devices; /* that had requests */
    uint32_t device_count;
};

/* In the time of the cascade's windows. */
void device_idle_fill(struct device_idle *idle, const struct cascade *cascade);
void device_idle_release(struct device_idle *idle);
/* NULL where that sum is so, else what is wrong. */
const char *device_idle_check(const struct device_idle *idle, const struct cascade *cascade);

#endif
