/* Many threads whose requests another one answers: all at once up to a limit, or each after its time. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

enum { MOST_THREADS = 64 };

/* ---- a logger syncs as many of 40 waiting requests as its limit allows (the form) ---- */

enum { CLIENTS = 40 };

struct request {
    pthread_cond_t done;
    bool waiting, synced;
};

static struct request requests[CLIENTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static int waiting, limit, first_in_turn;
static bool over;
static struct device device;

static void *batch_client(void *of)
{
    struct request *request = of;
    own_begin("client");
    struct own_moment since = own_now();
    pthread_mutex_lock(&lock);
    while (!over) {
        request->waiting = true;
        waiting++;
        pthread_cond_signal(&asked);
        while (!request->synced)
            pthread_cond_wait(&request->done, &lock);
        request->synced = false;
        pthread_mutex_unlock(&lock);
        own_waited(&since, "logger");
        since = own_now();
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    own_end();
    return NULL;
}

/* In turn, as a queue would have it. */
static int take_batch(struct request **batch)
{
    struct own_moment since = own_now();
    int taken = 0, at = first_in_turn;
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&asked, &lock);
    for (int i = 0; i < CLIENTS && taken < limit; i++, at++)
        if (requests[at % CLIENTS].waiting) {
            requests[at % CLIENTS].waiting = false;
            batch[taken++] = &requests[at % CLIENTS];
        }
    first_in_turn = at % CLIENTS;
    waiting -= taken;
    pthread_mutex_unlock(&lock);
    own_waited(&since, "client");
    return taken;
}

static void answer(struct request **batch, int count, bool last)
{
    pthread_mutex_lock(&lock);
    over = last;
    for (int i = 0; i < count; i++)
        batch[i]->synced = true;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++)
        pthread_cond_signal(&batch[i]->done);
}

struct batch_log {
    int syncs;
    int64_t answered, took_ns;
};

/* Until it has synced so often, and then until nobody waits. */
static void *logger(void *of)
{
    struct batch_log *log = of;
    struct request *batch[CLIENTS];
    bool last = false;
    own_begin("logger");
    int64_t begun = wall_now_ns();
    for (int i = 0; !last || __atomic_load_n(&waiting, __ATOMIC_RELAXED); i++) {
        compute_ms(0.5); /* those who were answered ask again meanwhile */
        int count = last && !waiting ? 0 : take_batch(batch);
        device_use(&device, 4.5);
        if (i < log->syncs) {
            log->answered += count;
            log->took_ns = wall_now_ns() - begun;
        }
        last = i + 1 >= log->syncs;
        answer(batch, count, last);
    }
    own_end();
    return NULL;
}

int64_t scene_batch(const struct scene_options *options)
{
    struct batch_log log = {.syncs = options->rounds};
    pthread_t clients[CLIENTS];
    limit = atoi(options->form);
    own_begin("first");
    device_open(&device, options->word);
    for (int i = 0; i < CLIENTS; i++) {
        pthread_cond_init(&requests[i].done, NULL);
        clients[i] = thread_begin(batch_client, &requests[i]);
    }
    pthread_t l = thread_begin(logger, &log);
    for (int i = 0; i < CLIENTS; i++)
        thread_join(clients[i], "client");
    thread_join(l, "logger");
    own_fact("took_ns", log.took_ns);
    device_tell(&device);
    own_end();
    return log.answered;
}

/* ---- so many handlers (the form), each waits 5 ms for its answer from a peer ---- */

static int rounds;

static void *handler(void *of)
{
    int to_peer = *(int *)of;
    char byte = 0;
    own_begin("handler");
    for (int i = 0; i < rounds; i++) {
        compute_ms(0.1);
        struct own_moment since = own_now();
        if (write(to_peer, &byte, 1) != 1 || read(to_peer, &byte, 1) != 1)
            exit(1);
        own_waited(&since, "peer");
    }
    close(to_peer);
    own_end();
    return NULL;
}

static void *peer(void *of)
{
    int to_handler = *(int *)of;
    char byte;
    own_begin("peer");
    for (;;) {
        struct own_moment since = own_now();
        bool more = read(to_handler, &byte, 1) == 1;
        own_waited(&since, "handler");
        if (!more)
            break;
        since = own_now();
        nap_ms(5);
        own_waited(&since, "timer");
        if (write(to_handler, &byte, 1) != 1)
            exit(1);
    }
    own_end();
    return NULL;
}

int64_t scene_handlers(const struct scene_options *options)
{
    int count = atoi(options->form), sockets[MOST_THREADS][2];
    pthread_t handlers[MOST_THREADS], peers[MOST_THREADS];
    rounds = options->rounds;
    own_begin("first");
    if (count > MOST_THREADS)
        exit(1);
    for (int i = 0; i < count; i++) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i]))
            exit(1);
        handlers[i] = thread_begin(handler, &sockets[i][0]);
        peers[i] = thread_begin(peer, &sockets[i][1]);
    }
    for (int i = 0; i < count; i++) {
        thread_join(handlers[i], "handler");
        thread_join(peers[i], "peer");
    }
    own_end();
    return (int64_t)rounds * count;
}
