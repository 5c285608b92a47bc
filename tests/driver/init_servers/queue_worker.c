#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct job {
    int number;
    struct job *next;
};
static struct job *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static void put(struct job *job)
{
    pthread_mutex_lock(&lock);
    job->next = NULL;
    *last = job;
    last = &job->next;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}
static struct job *take(void)
{
    pthread_mutex_lock(&lock);
    while (!first)
        pthread_cond_wait(&filled, &lock);
    struct job *job = first;
    first = job->next;
    if (!first)
        last = &first;
    pthread_mutex_unlock(&lock);
    return job;
}
static unsigned sums;
static void compute(struct job *job)
{
    for (int i = 0; i < job->number; i++)
        sums += i;
    free(job);
}
static void *work(void *unused)
{
    for (;;) {
        struct job *job = take();
        if (job->number < 0)
            return unused;
        compute(job);
    }
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 1000; i++) {
        struct job *job = malloc(sizeof *job);
        job->number = i == 999 ? -1 : i * 100;
        put(job);
        usleep(500);
    }
    pthread_join(thread, NULL);
    return 0;
}
