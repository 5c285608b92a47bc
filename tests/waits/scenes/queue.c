#include "queue.h"

#include "own_time.h"

static void change(struct queue *queue, int by, const char *whom)
{
    struct own_moment since = own_now();
    pthread_mutex_lock(&queue->lock);
    while (queue->count + by < 0 || queue->count + by > queue->most)
        pthread_cond_wait(&queue->changed, &queue->lock);
    queue->count += by;
    pthread_mutex_unlock(&queue->lock);
    pthread_cond_signal(&queue->changed);
    own_waited(&since, whom);
}

void queue_put(struct queue *queue)
{
    change(queue, 1, queue->taker);
}

void queue_take(struct queue *queue)
{
    change(queue, -1, queue->giver);
}
