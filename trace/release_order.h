/* release_order.h - releases brought in order of object, time and place in the trace.
 *
 *     releases_sort(list.releases, list.release_count);
 *
 * They come thread by thread, each thread's in order of time, so that those of an object are most
 * often in order once they stand together.
 */
#ifndef TRACE_RELEASE_ORDER_H
#define TRACE_RELEASE_ORDER_H

#include "trace/waker.h"

/* By key, time and order. */
void releases_sort(struct waker_release *releases, size_t count);

#endif
