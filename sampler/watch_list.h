/* watch_list.h - what of the run one thread of the recorder tells another: its processes, and which
 * threads wait long.
 *
 * A thread that waits long does it seldom: to look at each of its waits costs little, and those are
 * the most of the time that is waited. All functions may be called from any thread.
 */
#ifndef SAMPLER_WATCH_LIST_H
#define SAMPLER_WATCH_LIST_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"

enum { WATCH_LIST_LONG = 64 };

struct watch_list {
    pthread_mutex_t lock;
    struct hash_map processes;            /* 1, by pid */
    uint32_t long_waits[WATCH_LIST_LONG]; /* threads; 0: none. The oldest makes room */
    uint32_t long_count;                  /* that were ever added */
};

void watch_list_init(struct watch_list *list);
void watch_list_add_process(struct watch_list *list, uint32_t pid);
bool watch_list_has_process(struct watch_list *list, uint32_t pid);
/* Once is enough. */
void watch_list_add_long(struct watch_list *list, uint32_t tid);
/* Copies those that wait long, and gives how many were ever added: it has grown where they changed. */
uint32_t watch_list_long(struct watch_list *list, uint32_t tids[WATCH_LIST_LONG]);
void watch_list_release(struct watch_list *list);

#endif
