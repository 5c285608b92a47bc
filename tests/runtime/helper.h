/* helper.h - threads that wait, threads that let them go on, and who was whose waker: for each
 * waiter a line with the case, its thread and the thread that let it go on, or "-". */
#ifndef TESTS_RUNTIME_HELPER_H
#define TESTS_RUNTIME_HELPER_H

#include <pthread.h>
#include <stdbool.h>

#include "await.h"
#include "check.h"

struct helper {
    pthread_t thread;
    int (*act)(int object);
    int object;
    int tid;
    int done;
};

static inline void *run(void *arg)
{
    struct helper *h = arg;
    await_tell(&h->tid);
    CHECK(h->act(h->object));
    __atomic_store_n(&h->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static inline struct helper *start(int (*act)(int), int object)
{
    struct helper *h = calloc(1, sizeof *h);
    CHECK(h);
    h->act = act;
    h->object = object;
    CHECK(pthread_create(&h->thread, NULL, run, h) == 0);
    return h;
}

static inline struct helper *start_waiter(int (*act)(int), int object)
{
    struct helper *h = start(act, object);
    await_sleep(&h->tid);
    return h;
}

static inline int finish(struct helper *h)
{
    CHECK(pthread_join(h->thread, NULL) == 0);
    int tid = h->tid;
    free(h);
    return tid;
}

/* By a thread of its own, whose number is returned. */
static inline int let(int (*act)(int), int object)
{
    return finish(start(act, object));
}

static inline bool is_done(struct helper *h)
{
    return __atomic_load_n(&h->done, __ATOMIC_ACQUIRE);
}

static inline void gone(const char *name, struct helper *waiter, int waker)
{
    int tid = finish(waiter);
    if (waker)
        printf("%s %d %d\n", name, tid, waker);
    else
        printf("%s %d -\n", name, tid);
}

#endif
