/* Threads that wait for what one of them can have. */
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

static int rounds;

/* ---- a herd: two givers in turns, each has a ticket for one of its two waiters and wakes all four ----
 *
 *     a_giver   1 ms -> ticket for one a_waiter   1 ms -> b_giver   1 ms -> one b_waiter  1 ms -> a_giver ...
 */

enum { SIDES = 2, WAITERS = 2 };

struct side {
    const char *giver, *waiter;
    sem_t turn; /* of the giver */
    struct side *other;
    bool tickets[WAITERS];
};

struct waiter {
    struct side *side;
    int number, tickets;
};

static struct side sides[SIDES] = {{.giver = "a_giver", .waiter = "a_waiter"},
                                   {.giver = "b_giver", .waiter = "b_waiter"}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ticket = PTHREAD_COND_INITIALIZER;
static int64_t false_wakes; /* under the lock */

static void *giver(void *of)
{
    struct side *side = of;
    own_begin(side->giver);
    for (int i = 0; i < rounds; i++) {
        struct own_moment since = own_now();
        sem_wait(&side->turn);
        own_waited(&since, side->other->waiter);
        compute_ms(1);
        pthread_mutex_lock(&lock);
        side->tickets[i % WAITERS] = true;
        pthread_mutex_unlock(&lock);
        pthread_cond_broadcast(&ticket);
    }
    own_end();
    return NULL;
}

static void *waiter(void *of)
{
    struct waiter *self = of;
    struct side *side = self->side;
    own_begin(side->waiter);
    for (int i = 0; i < self->tickets; i++) {
        struct own_moment since = own_now();
        pthread_mutex_lock(&lock);
        while (!side->tickets[self->number]) {
            pthread_cond_wait(&ticket, &lock);
            false_wakes += !side->tickets[self->number];
        }
        side->tickets[self->number] = false;
        pthread_mutex_unlock(&lock);
        own_waited(&since, side->giver);
        compute_ms(1);
        sem_post(&side->other->turn);
    }
    own_end();
    return NULL;
}

int64_t scene_herd(const struct scene_options *options)
{
    struct waiter waiters[SIDES][WAITERS];
    pthread_t givers[SIDES], threads[SIDES][WAITERS];
    rounds = options->rounds;
    own_begin("first");
    for (int s = 0; s < SIDES; s++) {
        sides[s].other = &sides[1 - s];
        sem_init(&sides[s].turn, 0, s == 0);
    }
    for (int s = 0; s < SIDES; s++) {
        for (int w = 0; w < WAITERS; w++) {
            waiters[s][w] = (struct waiter){&sides[s], w, (rounds + WAITERS - 1 - w) / WAITERS};
            threads[s][w] = thread_begin(waiter, &waiters[s][w]);
        }
        givers[s] = thread_begin(giver, &sides[s]);
    }
    for (int s = 0; s < SIDES; s++) {
        thread_join(givers[s], sides[s].giver);
        for (int w = 0; w < WAITERS; w++)
            thread_join(threads[s][w], sides[s].waiter);
    }
    own_fact("false_wakes", false_wakes);
    own_end();
    return (int64_t)rounds * SIDES;
}

/* ---- a convoy: two threads on one processor hold a lock for so many us (the form), let go and yield ---- */

static double hold_ms;

static void *convoy(void *of)
{
    const char *const *names = of; /* its own, the other's */
    own_begin(names[0]);
    for (int i = 0; i < rounds; i++) {
        struct own_moment since = own_now();
        pthread_mutex_lock(&lock);
        own_waited(&since, names[1]);
        compute_ms(hold_ms);
        pthread_mutex_unlock(&lock);
        sched_yield();
    }
    own_end();
    return NULL;
}

int64_t scene_convoy(const struct scene_options *options)
{
    static const char *const names[] = {"a", "b", "a"};
    rounds = options->rounds;
    hold_ms = atoi(options->form) / 1e3;
    own_begin("first");
    use_one_processor();
    pthread_t a = thread_begin(convoy, (void *)names),
              b = thread_begin(convoy, (void *)(names + 1));
    thread_join(a, "a");
    thread_join(b, "b");
    own_end();
    return (int64_t)rounds * 2;
}
