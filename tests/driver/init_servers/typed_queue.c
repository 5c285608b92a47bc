#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job {
    char text[100];
    struct job *next;
};
static struct job *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static void put(struct job *job)
{
    pthread_mutex_lock(&lock);
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
static void execute(struct job *job)
{
    printf("%zu %s\n", strlen(job->text), job->text);
    free(job);
}
static void *work(void *unused)
{
    for (;;)
        execute(take());
    return unused;
}
int main(void)
{
    char line[100];
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (fgets(line, sizeof line, stdin)) {
        struct job *job = calloc(1, sizeof *job);
        strcpy(job->text, line);
        put(job);
    }
    return 0;
}
