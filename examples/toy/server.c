/* server.c - a toy server whose latency varies for several reasons.
 *
 *     acceptor --queue--> four workers: parse, execute (the table's lock), log (the journal)
 *     vacuum   holds the table's lock now and then
 *
 * A request starts when the acceptor has it and is complete when its worker is done with it. The
 * clients are played by the acceptor: they come in bursts.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal.h"
#include "queue.h"
#include "request.h"
#include "table.h"
#include "vprof_api.h"

enum { WORKERS = 4, REQUESTS = 600 };

static struct queue queue = QUEUE_EMPTY;
static struct request requests[REQUESTS];
static atomic_bool stop;

/* The same numbers in every run. */
static unsigned random_below(unsigned *state, unsigned bound)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % bound;
}

static void parse(struct request *request)
{
    usleep(300);
    request->is_put = strncmp(request->text, "put", 3) == 0;
    request->key = (unsigned)atoi(request->text + 4);
    SI_TYPE(request, request->is_put ? "put" : "get");
}

static unsigned execute(struct request *request)
{
    usleep(500);
    if (!request->is_put)
        return table_get(request->key);
    table_put(request->key, request->key * 7);
    return 0;
}

static void serve(struct request *request)
{
    parse(request);
    execute(request);
    if (request->is_put)
        journal_append(request->text);
}

static void *worker(void *argument)
{
    struct request *request;
    while (request = queue_pop(&queue), !request->last) {
        SI_ENTER(request);
        serve(request);
        SI_END(request);
    }
    return argument;
}

static void *vacuum(void *argument)
{
    unsigned chance = 3;
    while (!atomic_load(&stop)) {
        usleep(20000 + random_below(&chance, 30000));
        table_vacuum(5000 + random_below(&chance, 15000));
    }
    return argument;
}

/* Once it is in the queue the request belongs to a worker: it is not touched here any more. */
static void accept_request(struct request *request, unsigned number)
{
    const char *verb = number % 2 ? "put" : "get";
    snprintf(request->text, sizeof request->text, "%s %u", verb, number);
    SI_BEGIN(request);
    queue_push(&queue, request);
    SI_ENTER(SI_NONE);
}

static void accept_all(void)
{
    unsigned chance = 5;
    for (unsigned i = 0; i < REQUESTS;) {
        unsigned burst = 1 + random_below(&chance, 6);
        for (; burst && i < REQUESTS; burst--, i++)
            accept_request(&requests[i], i);
        usleep(4000 + random_below(&chance, 12000));
    }
}

int main(void)
{
    struct request last[WORKERS] = {{.last = false}};
    pthread_t workers[WORKERS], vacuuming;
    journal_open();
    pthread_create(&vacuuming, NULL, vacuum, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    accept_all();
    for (int i = 0; i < WORKERS; i++) {
        last[i].last = true;
        queue_push(&queue, &last[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    atomic_store(&stop, true);
    pthread_join(vacuuming, NULL);
    printf("%d requests served\n", REQUESTS);
    return 0;
}
