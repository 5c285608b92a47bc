/* queue.h - requests in the order of their coming, between threads.
 *
 * Links the requests through `next` and owns none. Any thread may call. Start from QUEUE_EMPTY.
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
struct request *queue_pop(struct queue *queue); /* waits until there is one */

#endif
