/* a queue and its one worker: one task in twenty is a backup that keeps the worker for 6 to 10 ms, and the tasks behind it wait */
#include <pthread.h>
#include <semaphore.h>
#include "own.h"
#include <vprof_api.h>
enum { CLIENTS = 6, ROOM = 64 };
struct task { long id, queued; int backup; unsigned r; struct own_row *row; sem_t done; };
static struct task *queue[ROOM];
static unsigned head, tail;
static int requests = 60;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t there;
void push(struct task *t)
{
    t->queued = NOW();
    VPROF_ENQUEUE(queue, t);
    pthread_mutex_lock(&lock);
    queue[tail++ % ROOM] = t;
    pthread_mutex_unlock(&lock);
    sem_post(&there);
}
struct task *pop(void)
{
    struct task *t;
    sem_wait(&there);
    pthread_mutex_lock(&lock);
    t = queue[head++ % ROOM];
    pthread_mutex_unlock(&lock);
    if (t) VPROF_DEQUEUE(queue, t);
    return t;
}
void lookup(struct task *t) { NAP(60 + t->r % 40); }
void copy_pages(struct task *t) { NAP(6000 + t->r % 4000); }
void backup(struct task *t) { copy_pages(t); }
void *worker(void *p)
{
    struct task *t;
    while ((t = pop())) {
        SI_ENTER(t->id);
        t->row->part[0] = NOW() - t->queued;
        if (t->backup) backup(t); else lookup(t);
        SI_END(t->id);
        t->row->end = NOW();
        t->row->used = 1;
        sem_post(&t->done);
    }
    return p;
}
void *client(void *p)
{
    long number = (long)p, i;
    unsigned long seed = 31 + (unsigned long)number;
    struct task t;
    sem_init(&t.done, 0, 0);
    for (i = 0; i < requests; i++) {
        t.r = RNG(seed);
        t.backup = t.r % 20 == 0;
        t.id = number * 100000 + i + 1;
        t.row = OWN_ROW();
        t.row->begin = NOW();
        SI_BEGIN_AS(t.id, t.backup ? "backup" : "lookup");
        push(&t);
        SI_ENTER(SI_NONE);
        sem_wait(&t.done);
        NAP(900 + t.r % 400);
    }
    return p;
}
int main(void)
{
    pthread_t w, c[CLIENTS];
    long i;
    own_open();
    sem_init(&there, 0, 0);
    pthread_create(&w, NULL, worker, NULL);
    for (i = 0; i < CLIENTS; i++) pthread_create(&c[i], NULL, client, (void *)i);
    for (i = 0; i < CLIENTS; i++) pthread_join(c[i], NULL);
    queue[tail++ % ROOM] = NULL;
    sem_post(&there);
    pthread_join(w, NULL);
    own_close("queued", NULL);
    return 0;
}
