/* server.c - a request that three threads work for, one after the other.
 *
 *     acceptor --inbox--> pool of two --outbox--> replier
 *       SI_BEGIN            execute                 SI_END
 *
 * Each request costs the pool the same 4 ms, but requests come in bursts of 1 to 12: the last of a
 * burst lies in the inbox for long, the first not at all. No function takes longer than usual.
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include "planted.h"
#include "queue.h"
#include "request.h"
#include "vprof_api.h"

enum { POOL = 2, REQUESTS = 400 };
enum { INBOX = 1, OUTBOX = 2 };

static struct queue inbox = QUEUE_EMPTY;
static struct queue outbox = QUEUE_EMPTY;
static struct request requests[REQUESTS];
static struct truth_row rows[REQUESTS];

/* Once it is in the inbox the request belongs to the pool: it is not touched here any more. */
static void accept_request(struct request *request)
{
    SI_BEGIN(request);
    request->begin_ns = now_ns();
    request->pushed_ns = request->begin_ns;
    queue_push(&inbox, request);
    SI_ENTER(SI_NONE);
}

static void *acceptor(void *argument)
{
    unsigned chance = 521288629;
    for (int i = 0; i < REQUESTS;) {
        int burst = 1 + (int)random_below(&chance, 12);
        for (; burst && i < REQUESTS; burst--, i++) {
            requests[i].row = &rows[i];
            accept_request(&requests[i]);
        }
        usleep(8000 + random_below(&chance, 16000));
    }
    return argument;
}

static void execute(struct request *request)
{
    request->row->ns[INBOX] = now_ns() - request->pushed_ns;
    usleep(4000);
    request->pushed_ns = now_ns();
}

static void *pool_thread(void *argument)
{
    struct request *request;
    while (request = queue_pop(&inbox), !request->last) {
        SI_ENTER(request);
        execute(request);
        queue_push(&outbox, request);
        SI_ENTER(SI_NONE);
    }
    return argument;
}

static void reply(struct request *request)
{
    int64_t now = now_ns();
    request->row->ns[OUTBOX] = now - request->pushed_ns;
    request->row->ns[LATENCY] = now - request->begin_ns;
}

static void *replier(void *argument)
{
    struct request *request;
    while (request = queue_pop(&outbox), !request->last) {
        SI_ENTER(request);
        reply(request);
        SI_END(request);
    }
    return argument;
}

int main(void)
{
    struct request last[POOL + 1] = {{.last = true}, {.last = true}, {.last = true}};
    pthread_t accepting, pool[POOL], replying;
    pthread_create(&replying, NULL, replier, NULL);
    for (int i = 0; i < POOL; i++)
        pthread_create(&pool[i], NULL, pool_thread, NULL);
    pthread_create(&accepting, NULL, acceptor, NULL);
    pthread_join(accepting, NULL);
    for (int i = 0; i < POOL; i++)
        queue_push(&inbox, &last[i]);
    for (int i = 0; i < POOL; i++)
        pthread_join(pool[i], NULL);
    queue_push(&outbox, &last[POOL]);
    pthread_join(replying, NULL);
    truth_write((const char *const[]){"inbox", "outbox"}, 2, rows, REQUESTS);
    return 0;
}
