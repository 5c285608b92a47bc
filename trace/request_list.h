/* request_list.h - from requests that a block device was given, and those that it has done, to when each
 * was in flight (off_cpu.h).
 *
 *     issued sda 100 +8    issued sda 300 +4    done sda 100 +4    done sda 104 +4    done sda 300 +4
 *     |<---------------- one of 8 -------------------------------------------->|
 *                          |<-------------- one of 4 ------------------------------------------>|
 *
 * A request is known by its device and where on it the part begins that is still to be done. One that is
 * given again, as after a device was busy, is the same. Flushes have no place: those that are in flight
 * together are one, until the last of them is done. A cut is where records may be missing, or a pause of the
 * recorder begins or ends: what was in flight is so until then, and what is done within REQUEST_OLD_NS
 * without having been given since has been in flight since then, by nobody that is known.
 */
#ifndef TRACE_REQUEST_LIST_H
#define TRACE_REQUEST_LIST_H

#include <stddef.h>

#include "trace/off_cpu.h"

#define REQUEST_OLD_NS 1000000000 /* a request hardly takes longer (chosen) */

enum request_event_kind { REQUEST_ISSUED, REQUEST_DONE, REQUEST_CUT };

struct request_event {
    time_ns time;
    uint64_t sector;
    uint32_t device, bytes, tid; /* tid: of ISSUED */
    enum request_event_kind kind;
};

struct request_list {
    struct request_event *events;
    size_t count, capacity;
};

/* In any order, but of one moment in that in which they happened. */
void request_list_add(struct request_list *list, struct request_event event);
/* Fills in the requests of the run's kernel side, whose tasks are there already, in its `scheduler`
 * arena. */
void request_list_build(struct request_list *list, struct timelines *run);
void request_list_release(struct request_list *list);

#endif
