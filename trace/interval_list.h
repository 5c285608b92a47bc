/* interval_list.h - from annotations to instances of intervals and the labels of threads.
 *
 *     BEGIN(id)   starts a new instance; one of the same id that is still open stays incomplete
 *     ENTER(id)   labels the thread with the instance that is open then; none: with no interval
 *     END(id)     completes the open instance; every thread that still carries it stops
 *     TYPE, VALUE go to the latest instance of the id, open or not
 *
 *     struct interval_list list = {0};
 *     interval_list_add(&list, mark)                    all marks of a process, thread by thread
 *     interval_list_complete(&list)
 *     interval_list_order(&list)                        one thread, while another one may be at
 *     interval_list_close_process(&list, ...)           this; then the next process
 *     interval_list_build(&list, &run);                 fills in run->intervals and the labels
 *
 * Marks of a process are brought in order of ticks; at equal ticks each thread's marks keep their
 * order, and across threads BEGIN comes first and END last.
 */
#ifndef TRACE_INTERVAL_LIST_H
#define TRACE_INTERVAL_LIST_H

#include <stddef.h>

#include "base/hash_map.h"
#include "base/run_order.h"
#include "trace/clock_map.h"
#include "trace/timeline.h"

struct interval_mark {
    uint64_t ticks;
    uint64_t id;
    uint32_t thread;
    uint32_t what; /* enum vprof_mark_1 */
};

/* The list keeps a mark like this. */
struct interval_kept {
    uint64_t when; /* ticks << 8 | place among equal ticks << 4 | what */
    uint32_t thread;
    uint32_t id; /* index in `ids`; of TYPE and VALUE in `told` */
};

/* An id is told this by TYPE and VALUE. */
struct interval_told {
    uint32_t id; /* index */
    struct interval_value value;
};

/* The labels are those of one thread. */
struct interval_labels {
    struct label *labels; /* .interval: index in `instances` */
    uint32_t count, capacity;
};

struct interval_given {
    uint32_t instance;
    struct interval_value value;
};

struct interval_list {
    struct interval_kept *marks; /* of the process being read */
    size_t mark_count;
    size_t mark_capacity;
    uint64_t *ids; /* of the process, and where each of them is there: index + 1 */
    size_t id_count;
    size_t id_capacity;
    struct hash_map id_at;
    uint32_t latest_id;         /* index of the one that the latest mark has */
    struct run_order order;     /* of those */
    struct interval_told *told; /* of the process */
    size_t told_count;
    size_t told_capacity;
    struct interval *instances; /* of all processes */
    size_t instance_count;
    size_t instance_capacity;
    bool disorder; /* of several processes, some began earlier than one before them */
    struct interval_labels *labels; /* by thread */
    size_t thread_count;
    size_t thread_capacity;
    struct interval_given *given;
    size_t given_count;
    size_t given_capacity;
};

void interval_list_add(struct interval_list *list, struct interval_mark mark);
/* A mark that tells something of an id. */
void interval_list_tell(struct interval_list *list, struct interval_mark mark,
                        struct interval_value value);

/* The list is complete when there are no more marks of the process. */
void interval_list_complete(struct interval_list *list);
/* The marks are brought in order. Waited for by interval_list_close_process. */
void interval_list_order(struct interval_list *list);
/* Threads first_thread .. first_thread + thread_count are the process's. What is still open ends,
 * incomplete, at last_ticks. */
void interval_list_close_process(struct interval_list *list, uint32_t process,
                                 uint32_t first_thread, uint32_t thread_count,
                                 const struct clock_map *clock, uint64_t base, uint64_t last_ticks);
void interval_list_build(struct interval_list *list, struct timelines *run);
void interval_list_release(struct interval_list *list);

#endif
