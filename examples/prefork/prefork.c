/* prefork.c - processes that wait for a lock in memory that they share.
 *
 *     parent --fork--> server 0, 1, 2    handle requests, each under the shared lock
 *            --fork--> checkpointer      keeps the shared lock for 1 to 12 ms, in checkpoint()
 *
 * The lock, and the table that it guards, are in a mapping that the parent makes before it forks,
 * as PostgreSQL does. The one that a server waits for is a thread of another process.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"
#include "vprof_api.h"

enum { SERVERS = 3, REQUESTS_EACH = 200, REQUESTS = SERVERS * REQUESTS_EACH };
enum { LOCK = 1 };

struct shared {
    pthread_mutex_t lock;
    atomic_bool stop;
    unsigned pages[256];
    struct truth_row rows[REQUESTS];
};

static struct shared *shared_create(void)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        exit(1);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->lock, &attributes);
    return shared;
}

static void handle(struct shared *shared, unsigned page, struct truth_row *row)
{
    int64_t asked = now_ns();
    pthread_mutex_lock(&shared->lock);
    row->ns[LOCK] = now_ns() - asked;
    shared->pages[page]++;
    pthread_mutex_unlock(&shared->lock);
}

static void serve(struct shared *shared, struct truth_row *rows)
{
    unsigned chance = (unsigned)(rows - shared->rows) + 19088743;
    for (int i = 0; i < REQUESTS_EACH; i++) {
        usleep(500 + random_below(&chance, 3000));
        SI_BEGIN(i);
        int64_t start = now_ns();
        handle(shared, random_below(&chance, 256), &rows[i]);
        rows[i].ns[LATENCY] = now_ns() - start;
        SI_END(i);
    }
}

/* The planted cause. The sleep stands for writing the pages. */
static void checkpoint(struct shared *shared, unsigned *chance)
{
    pthread_mutex_lock(&shared->lock);
    usleep(1000 + random_below(chance, 11000));
    pthread_mutex_unlock(&shared->lock);
}

static void checkpointer(struct shared *shared)
{
    unsigned chance = 42424242;
    while (!atomic_load(&shared->stop)) {
        checkpoint(shared, &chance);
        usleep(2000); /* lets the servers in: a mutex is not fair */
    }
}

/* Which = SERVERS is the checkpointer. */
static pid_t start_child(struct shared *shared, int which)
{
    pid_t child = fork();
    if (child < 0)
        exit(1);
    if (child > 0)
        return child;
    if (which == SERVERS)
        checkpointer(shared);
    else
        serve(shared, shared->rows + which * REQUESTS_EACH);
    exit(0);
}

int main(void)
{
    struct shared *shared = shared_create();
    pid_t children[SERVERS + 1];
    int failed = 0;
    for (int i = 0; i <= SERVERS; i++)
        children[i] = start_child(shared, i);
    for (int i = 0; i <= SERVERS; i++) {
        int status;
        if (i == SERVERS)
            atomic_store(&shared->stop, true);
        waitpid(children[i], &status, 0);
        failed |= status;
    }
    truth_write((const char *const[]){"lock"}, 1, shared->rows, REQUESTS);
    return failed ? 1 : 0;
}
