/* pickup_list.h - who made the task that a thread picks up.
 *
 * DEQUEUE of a task takes the latest ENQUEUE of it that no other took, at or before it: of the same
 * process first, else of any process where the task lies in shared memory. A thread that STARTED
 * takes the CREATE of its process with the same token. Everything is O(n log n) in the events.
 */
#ifndef TRACE_PICKUP_LIST_H
#define TRACE_PICKUP_LIST_H

#include <stddef.h>

#include "base/hash_map.h"
#include "trace/timeline.h"

struct pickup_event {
    time_ns time;
    uint64_t own;    /* the task as this process knows it */
    uint64_t shared; /* as all processes know it, or 0 */
    uint32_t thread;
    uint32_t site;
    uint32_t stack;
    bool enqueue;
    /* the list's own */
    uint32_t rank;
    uint64_t order;
    uint64_t below_own; /* the ENQUEUE before it of the same task: index + 1 */
    uint64_t below_shared;
    bool taken;
};

struct pickup_found {
    uint32_t thread;
    struct pickup pickup;
};

struct pickup_list {
    struct pickup_event *events;
    size_t event_count;
    size_t event_capacity;
    struct pickup_event *creates; /* of threads; `own` is the token with its process */
    size_t create_count;
    size_t create_capacity;
    struct pickup_event *starts;
    size_t start_count;
    size_t start_capacity;
    struct pickup_found *found;
    size_t found_count;
    size_t found_capacity;
};

/* The events are added thread by thread, in the order of the logs. */
void pickup_list_add_task(struct pickup_list *list, struct pickup_event event);
void pickup_list_add_create(struct pickup_list *list, struct pickup_event event);
void pickup_list_add_start(struct pickup_list *list, struct pickup_event event);
/* The function fills in the threads' pickups, which live in `arena`. */
void pickup_list_build(struct pickup_list *list, struct timelines *run, struct arena *arena);
void pickup_list_release(struct pickup_list *list);

#endif
