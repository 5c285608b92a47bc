/* One thread accepts and puts connections into a queue; four take them out, and serve one request
 * of each. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct job {
    int client;
    struct job *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct job *first, **last;
} jobs = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &jobs.first};

static void jobs_put(struct job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&jobs.lock);
    *jobs.last = job;
    jobs.last = &job->next;
    pthread_cond_signal(&jobs.filled);
    pthread_mutex_unlock(&jobs.lock);
}

static struct job *jobs_take(void)
{
    pthread_mutex_lock(&jobs.lock);
    while (!jobs.first)
        pthread_cond_wait(&jobs.filled, &jobs.lock);
    struct job *job = jobs.first;
    jobs.first = job->next;
    if (!jobs.first)
        jobs.last = &jobs.first;
    pthread_mutex_unlock(&jobs.lock);
    return job;
}

static int look_up(const char *key, char *value, size_t size)
{
    return snprintf(value, size, "%zu:%s\n", strlen(key), key);
}

static void serve(struct job *job)
{
    char key[256], value[300];
    ssize_t got = recv(job->client, key, sizeof key - 1, 0);
    if (got > 0) {
        key[got] = '\0';
        int length = look_up(key, value, sizeof value);
        send(job->client, value, (size_t)length, MSG_NOSIGNAL);
    }
    close(job->client);
    free(job);
}

static void *worker(void *unused)
{
    (void)unused;
    for (;;)
        serve(jobs_take());
    return NULL;
}

int main(void)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7003)};
    if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 8))
        return 1;
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
    }
    for (;;) {
        int client = accept(door, NULL, NULL);
        if (client < 0)
            continue;
        struct job *job = malloc(sizeof *job);
        job->client = client;
        jobs_put(job);
    }
}
