#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct shared {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int count;
};

static struct shared shared[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}};

static struct shared *which(int n)
{
    return &shared[n];
}

static void *work(void *data)
{
    struct shared *own = data;
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_cond_signal(&own->ready);
    if (pthread_mutex_unlock
        (&own->lock))
        return NULL;
    return data;
}

int main(void)
{
    pthread_t thread;
    void *result;
    int (*lock)(pthread_mutex_t *) = pthread_mutex_lock;
    pthread_mutex_lock(&which(0)->lock); /* the thread has to wait until we do */
    if (pthread_create(&thread, NULL, work, &shared[0]) != 0)
        return 1;
    while (!shared[0].count)
        pthread_cond_wait(&shared[0].ready, &shared[0].lock);
    pthread_mutex_unlock(&shared[0].lock);
    (void)pthread_join(thread, &result);
    lock(&shared[0].lock), (pthread_mutex_unlock)(&shared[0].lock);
    return printf("%d\n", result == &shared[0]) < 0;
}
