/* queue.h - requests in the order of their coming, between threads.
 *
 *     queue_push(&inbox, request);            any thread
 *     request = queue_pop(&inbox);            any thread; waits until there is one
 *
 * Links the requests through `next` and owns none. Start from QUEUE_EMPTY.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

struct request;

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct request *first, *last;
};

#define QUEUE_EMPTY                                                                                \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0                                  \
    }

void queue_push(struct queue *queue, struct request *request);
struct request *queue_pop(struct queue *queue);

#endif
