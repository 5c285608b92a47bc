#include "sampler/watch_list.h"

#include <string.h>

void watch_list_init(struct watch_list *list)
{
    *list = (struct watch_list){0};
    pthread_mutex_init(&list->lock, NULL);
}

void watch_list_add_process(struct watch_list *list, uint32_t pid)
{
    pthread_mutex_lock(&list->lock);
    *hash_map_put(&list->processes, pid) = 1;
    pthread_mutex_unlock(&list->lock);
}

bool watch_list_has_process(struct watch_list *list, uint32_t pid)
{
    pthread_mutex_lock(&list->lock);
    bool has = hash_map_get(&list->processes, pid) != NULL;
    pthread_mutex_unlock(&list->lock);
    return has;
}

static bool has_long(const struct watch_list *list, uint32_t tid)
{
    for (uint32_t i = 0; i < WATCH_LIST_LONG; i++)
        if (list->long_waits[i] == tid)
            return true;
    return false;
}

void watch_list_add_long(struct watch_list *list, uint32_t tid)
{
    pthread_mutex_lock(&list->lock);
    if (!has_long(list, tid))
        list->long_waits[list->long_count++ % WATCH_LIST_LONG] = tid;
    pthread_mutex_unlock(&list->lock);
}

uint32_t watch_list_long(struct watch_list *list, uint32_t tids[WATCH_LIST_LONG])
{
    pthread_mutex_lock(&list->lock);
    memcpy(tids, list->long_waits, sizeof list->long_waits);
    uint32_t count = list->long_count;
    pthread_mutex_unlock(&list->lock);
    return count;
}

void watch_list_release(struct watch_list *list)
{
    hash_map_release(&list->processes);
    pthread_mutex_destroy(&list->lock);
}
