#include <pthread.h>
#include <unistd.h>
struct job {
    int number;
};
struct queue {
    struct job jobs[16];
    unsigned head, tail;
    pthread_mutex_t lock;
    pthread_cond_t filled;
};
static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
static int dequeue(struct queue *q, struct job *out)
{
    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail)
        pthread_cond_wait(&q->filled, &q->lock);
    *out = q->jobs[q->tail++ % 16];
    pthread_mutex_unlock(&q->lock);
    return out->number >= 0;
}
static volatile unsigned sum;
static void process(struct job *job)
{
    for (int i = 0; i < job->number; i++)
        sum += i;
}
static void *work(void *data)
{
    struct job job;
    while (dequeue(data, &job))
        process(&job);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &queue);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&queue.lock);
        queue.jobs[queue.head++ % 16].number = i == 999 ? -1 : i;
        pthread_cond_signal(&queue.filled);
        pthread_mutex_unlock(&queue.lock);
        usleep(100);
    }
    pthread_join(thread, NULL);
}
