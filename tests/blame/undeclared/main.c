/* A producer takes jobs and polls; one worker does them. Nothing declares the queue. */
#include <poll.h>
#include <pthread.h>
#include "own.h"
#include <vprof_api.h>
enum { JOBS = 1200 };
static struct job { long id; struct own_row *row; int slow; struct job *next; } jobs[JOBS];
static struct job *head, **tail = &head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;
static __attribute__((noinline)) void do_job(struct job *j) { NAP(100); if (j->slow) NAP(8000); }
static void *worker(void *x)
{
    (void)x;
    for (;;) {
        pthread_mutex_lock(&m);
        while (!head && !done) pthread_cond_wait(&c, &m);
        struct job *j = head;
        if (j && !(head = j->next)) tail = &head;
        pthread_mutex_unlock(&m);
        if (!j) return 0;
        long t = NOW();
        SI_ENTER(j->id);
        j->row->part[0] = t - j->row->begin; /* queue */
        do_job(j);
        j->row->part[1] = NOW() - t;
        j->row->end = NOW();
        SI_END(j->id);
        j->row->used = 1;
    }
}
static __attribute__((noinline)) void accept_job(int i)
{
    struct job *j = &jobs[i];
    j->id = i + 1; j->slow = i % 40 == 17; j->row = OWN_ROW();
    j->row->begin = NOW();
    SI_BEGIN(j->id);
    pthread_mutex_lock(&m);
    *tail = j; tail = &j->next;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
}
int main(void)
{
    int p[2];
    unsigned long seed = 5;
    own_open();
    if (pipe(p)) return 1;
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (int i = 0; i < JOBS; i++) {
        accept_job(i);
#ifdef NOTHING_TO_POLL
        poll(NULL, 0, 1 + (int)(RNG(seed) % 2));
#else
        struct pollfd f = { p[0], POLLIN, 0 };
        poll(&f, 1, 1 + (int)(RNG(seed) % 2));
#endif
    }
    pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c);
    pthread_join(t, 0);
    own_close("queue job", 0);
    return 0;
}
