/* queue.h - a queue of a fixed size between one thread and another, whose waits both measure. */
#ifndef SCENES_QUEUE_H
#define SCENES_QUEUE_H

#include <pthread.h>

struct queue {
    const char *giver, *taker; /* names of threads */
    int most, count;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

#define QUEUE(giver_, taker_, most_)                                                               \
    {                                                                                              \
        .giver = (giver_), .taker = (taker_), .most = (most_), .lock = PTHREAD_MUTEX_INITIALIZER,  \
        .changed = PTHREAD_COND_INITIALIZER                                                        \
    }

/* Waits for the taker while it is full. */
void queue_put(struct queue *queue);
/* Waits for the giver while it is empty. */
void queue_take(struct queue *queue);

#endif
