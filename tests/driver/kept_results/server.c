/* What the kept results were recorded of: a queue between threads, a lock, and a process of its own. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "vprof_api.h"

#define REQUESTS 120
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static long queue[REQUESTS], head, tail;

static void nap(long us)
{
    struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

static void table_walk(long id)
{
    pthread_mutex_lock(&table_lock);
    nap(id % 4 ? 100 : 1500);
    pthread_mutex_unlock(&table_lock);
}

static void answer(long id)
{
    SI_ENTER(id);
    table_walk(id);
    SI_END(id);
}

static void *serve(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&queue_lock);
        while (head == tail)
            pthread_cond_wait(&filled, &queue_lock);
        long id = queue[head++];
        pthread_mutex_unlock(&queue_lock);
        if (id < 0)
            return unused;
        answer(id);
    }
}

static void put(long id)
{
    pthread_mutex_lock(&queue_lock);
    queue[tail++] = id;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&queue_lock);
}

static void child(void)
{
    for (long id = 1000; id < 1030; id++) {
        SI_BEGIN(id);
        table_walk(id);
        SI_END(id);
    }
}

int main(void)
{
    pthread_t worker[2];
    if (fork() == 0) {
        child();
        return 0;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&worker[i], NULL, serve, NULL);
    for (long id = 0; id < REQUESTS - 2; id++) {
        SI_BEGIN(id);
        put(id);
        nap(600);
    }
    put(-1);
    put(-1);
    for (int i = 0; i < 2; i++)
        pthread_join(worker[i], NULL);
    wait(NULL);
    return 0;
}
