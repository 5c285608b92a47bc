/* A request that passes several threads, and requests that wait for one of two. */
#include <linux/futex.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "include/vprof_api.h"
#include "own_time.h"
#include "scene.h"
#include "work.h"

static int rounds;

/* ---- client -pipe-> t1 -eventfd-> t2 -futex-> t3 -condition-> t4 -semaphore-> client ----
 *      Each of the four has the request for 1 ms. */

enum { STAGES = 4 };

static int to_t1[2], to_t2;
static uint32_t to_t3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t for_t4 = PTHREAD_COND_INITIALIZER;
static bool t4_has_it;
static sem_t answered;

static int64_t handed_at[STAGES + 1]; /* to the first, and by each; of the present request */
static int64_t stage_ns[STAGES];

static void take(int stage)
{
    char byte;
    uint64_t count;
    if (stage == 0 && read(to_t1[0], &byte, 1) != 1)
        exit(1);
    if (stage == 1 && read(to_t2, &count, sizeof count) != sizeof count)
        exit(1);
    while (stage == 2 && !__atomic_exchange_n(&to_t3, 0, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &to_t3, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    if (stage == 3) {
        pthread_mutex_lock(&lock);
        while (!t4_has_it)
            pthread_cond_wait(&for_t4, &lock);
        t4_has_it = false;
        pthread_mutex_unlock(&lock);
    }
    if (stage == STAGES)
        sem_wait(&answered);
}

static void hand(int stage)
{
    uint64_t one = 1;
    if (stage == 0 && write(to_t1[1], "", 1) != 1)
        exit(1);
    if (stage == 1 && write(to_t2, &one, sizeof one) != sizeof one)
        exit(1);
    if (stage == 2) {
        __atomic_store_n(&to_t3, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &to_t3, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    if (stage == 3) {
        pthread_mutex_lock(&lock);
        t4_has_it = true;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&for_t4);
    }
    if (stage == STAGES)
        sem_post(&answered);
}

static const char *const stage_names[] = {"client", "t1", "t2", "t3", "t4", "client"};

static void *stage(void *of)
{
    int at = *(int *)of;
    own_begin(stage_names[at + 1]);
    for (int i = 0; i < rounds; i++) {
        struct own_moment since = own_now();
        take(at);
        own_waited(&since, stage_names[at]);
        compute_ms(1);
        handed_at[at + 1] = wall_now_ns();
        stage_ns[at] += handed_at[at + 1] - handed_at[at];
        hand(at + 1);
    }
    own_end();
    return NULL;
}

static void tell_stages(int64_t latency_ns)
{
    static const char *const names[] = {"t1_ns", "t2_ns", "t3_ns", "t4_ns"};
    own_fact("latency_ns", latency_ns);
    for (int i = 0; i < STAGES; i++)
        own_fact(names[i], stage_ns[i]);
}

int64_t scene_chain(const struct scene_options *options)
{
    int numbers[STAGES] = {0, 1, 2, 3};
    pthread_t stages[STAGES];
    int64_t latency_ns = 0;
    rounds = options->rounds;
    own_begin("client");
    if (pipe(to_t1) || (to_t2 = eventfd(0, 0)) < 0 || sem_init(&answered, 0, 0))
        exit(1);
    for (int i = 0; i < STAGES; i++)
        stages[i] = thread_begin(stage, &numbers[i]);
    for (int i = 0; i < rounds; i++) {
        struct own_moment since = own_now();
        SI_BEGIN(1);
        handed_at[0] = wall_now_ns();
        hand(0);
        take(STAGES);
        SI_END(1);
        own_waited(&since, "t4");
        latency_ns += wall_now_ns() - handed_at[0];
    }
    for (int i = 0; i < STAGES; i++)
        thread_join(stages[i], stage_names[i + 1]);
    tell_stages(latency_ns);
    own_end();
    return rounds;
}

/* ---- nine of ten requests wait 1 ms for X, one 10 ms for Y; both nap meanwhile ---- */

struct helper {
    const char *name;
    double ms;
    sem_t asked, done;
    int64_t waited_ns;
    int requests;
};

static void *help(void *of)
{
    struct helper *helper = of;
    own_begin(helper->name);
    for (int i = 0; i < helper->requests; i++) {
        struct own_moment since = own_now();
        sem_wait(&helper->asked);
        own_waited(&since, "server");
        since = own_now();
        nap_ms(helper->ms);
        own_waited(&since, "timer");
        sem_post(&helper->done);
    }
    own_end();
    return NULL;
}

static int64_t serve(struct helper *helper)
{
    struct own_moment since = own_now();
    SI_BEGIN(1);
    sem_post(&helper->asked);
    sem_wait(&helper->done);
    SI_END(1);
    own_waited(&since, helper->name);
    return wall_now_ns() - since.wall_ns;
}

int64_t scene_shares(const struct scene_options *options)
{
    struct helper x = {.name = "X", .ms = 1}, y = {.name = "Y", .ms = 10};
    double square_sum = 0, sum = 0, x_sum = 0, x_times_sum = 0; /* ns, and of products */
    rounds = options->rounds;
    y.requests = rounds / 10;
    x.requests = rounds - y.requests;
    own_begin("server");
    for (struct helper *h = &x; h; h = h == &x ? &y : NULL)
        if (sem_init(&h->asked, 0, 0) || sem_init(&h->done, 0, 0))
            exit(1);
    pthread_t of_x = thread_begin(help, &x), of_y = thread_begin(help, &y);
    for (int i = 0; i < rounds; i++) {
        struct helper *whom = i % 10 == 9 ? &y : &x;
        int64_t latency = serve(whom);
        double x_latency = whom == &x ? (double)latency : 0;
        whom->waited_ns += latency;
        sum += (double)latency;
        square_sum += (double)latency * (double)latency;
        x_sum += x_latency;
        x_times_sum += x_latency * (double)latency;
    }
    thread_join(of_x, "X");
    thread_join(of_y, "Y");
    double variance = square_sum / rounds - sum / rounds * (sum / rounds);
    double x_covariance = x_times_sum / rounds - x_sum / rounds * (sum / rounds);
    own_fact("variance_ns2", (int64_t)variance);
    own_fact("x_share_ppm", (int64_t)(1e6 * x_covariance / variance));
    own_fact("x_ns", x.waited_ns);
    own_fact("y_ns", y.waited_ns);
    own_end();
    return rounds;
}
