/* lock_wait.c - requests that wait for a lock which a background thread holds.
 *
 *     worker     parse |......... waits ........| update the table
 *     compactor  ...holds the lock, in compact().|  pause  |...holds...
 *
 * Three workers handle requests, each a few microseconds of work on a table under a lock. A
 * compactor takes the same lock again and again and keeps it for 1 to 12 ms. How long a request
 * takes is therefore a matter of when it came, and of how long compact() still has to go.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "planted.h"
#include "vprof_api.h"

enum { WORKERS = 3, REQUESTS_EACH = 200, REQUESTS = WORKERS * REQUESTS_EACH };
enum { LOCK = 1 };

struct request {
    const char *text;
    struct truth_row *row;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned table[256];
static atomic_bool stop;
static struct truth_row rows[REQUESTS];

static unsigned parse(const char *text)
{
    unsigned hash = 5381;
    for (const char *c = text; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    return hash % 256;
}

static void handle(struct request *request)
{
    unsigned slot = parse(request->text);
    int64_t asked = now_ns();
    pthread_mutex_lock(&table_lock);
    request->row->ns[LOCK] = now_ns() - asked;
    table[slot]++;
    pthread_mutex_unlock(&table_lock);
}

static void *worker(void *argument)
{
    int first = *(int *)argument;
    unsigned chance = 2463534242u + (unsigned)first;
    for (int i = 0; i < REQUESTS_EACH; i++) {
        struct request request = {"update the table", &rows[first + i]};
        usleep(500 + random_below(&chance, 3000));
        SI_BEGIN(&request);
        int64_t start = now_ns();
        handle(&request);
        request.row->ns[LATENCY] = now_ns() - start;
        SI_END(&request);
    }
    return NULL;
}

/* The planted cause. The sleep stands for work on the table. */
static void compact(unsigned *chance)
{
    pthread_mutex_lock(&table_lock);
    usleep(1000 + random_below(chance, 11000));
    pthread_mutex_unlock(&table_lock);
}

static void *compactor(void *argument)
{
    unsigned chance = 88675123;
    while (!atomic_load(&stop)) {
        compact(&chance);
        usleep(2000); /* a mutex is not fair: without the pause no worker would ever get it */
    }
    return argument;
}

int main(void)
{
    pthread_t background, workers[WORKERS];
    int first[WORKERS];
    pthread_create(&background, NULL, compactor, NULL);
    for (int i = 0; i < WORKERS; i++) {
        first[i] = i * REQUESTS_EACH;
        pthread_create(&workers[i], NULL, worker, &first[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    atomic_store(&stop, true);
    pthread_join(background, NULL);
    truth_write((const char *const[]){"lock"}, 1, rows, REQUESTS);
    return 0;
}
