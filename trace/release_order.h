/* release_order.h - releases brought in order of object, time and place in the trace.
 *
 *     releases_sort(list.releases, list.release_count);
 *
 * They come thread by thread, each thread's in order of time, so that those of an object are most
 * often in order once they stand together.
 */
#ifndef TRACE_RELEASE_ORDER_H
#define TRACE_RELEASE_ORDER_H

#include <stddef.h>

#include "trace/timeline.h"

/* An rwlock's key to read has this more than the one to write. */
#define WAKER_KEY_READ UINT64_C(1)

struct waker_release {
    uint64_t key;
    time_ns time;
    time_ns since; /* it was held, or HOLD_UNKNOWN */
    uint32_t thread;
    uint32_t amount;     /* 0: 1 */
    uint32_t site : 24;  /* a probe */
    uint32_t mode : 8;   /* enum trace_release_mode */
    uint32_t stack : 24; /* as in struct block */
    uint32_t operation : 8;
};

/* The releases are sorted by key, time and order. */
void releases_sort(struct waker_release *releases, size_t count);

#endif
