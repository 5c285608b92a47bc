#include "queue.h"

#include <stddef.h>

#include "request.h"

void queue_push(struct queue *queue, struct request *request)
{
    request->next = NULL;
    pthread_mutex_lock(&queue->lock);
    if (queue->first)
        queue->last->next = request;
    else
        queue->first = request;
    queue->last = request;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
}

struct request *queue_pop(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->first)
        pthread_cond_wait(&queue->filled, &queue->lock);
    struct request *request = queue->first;
    queue->first = request->next;
    pthread_mutex_unlock(&queue->lock);
    return request;
}
