/* Threads that wait for each other at the end of what they do at once. */
#include <string.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

static int rounds;
static pthread_barrier_t barrier;

static void meet(const char *whom)
{
    struct own_moment since = own_now();
    pthread_barrier_wait(&barrier);
    own_waited(&since, whom);
}

/* ---- two phases a round: A has 3 parts and B 1, then 1 and 3; balanced: 2 and 2 ---- */

static double first_part, second_part;

static void *imbalanced_b(void *unused)
{
    own_begin("B");
    for (int i = 0; i < rounds; i++) {
        compute_ms(second_part);
        meet("A");
        compute_ms(first_part);
        meet("A");
    }
    own_end();
    return unused;
}

int64_t scene_imbalance(const struct scene_options *options)
{
    rounds = options->rounds;
    first_part = strcmp(options->form, "balanced") == 0 ? 4 : 6;
    second_part = 8 - first_part;
    pthread_barrier_init(&barrier, NULL, 2);
    own_begin("A");
    pthread_t b = thread_begin(imbalanced_b, NULL);
    for (int i = 0; i < rounds; i++) {
        compute_ms(first_part);
        meet("B");
        compute_ms(second_part);
        meet("B");
    }
    thread_join(b, "B");
    own_end();
    return rounds;
}

/* ---- main prepares 4 ms, then two workers work 6 ms each; parallel: they prepare, too ----
 *      They are made anew each round, or stay (the word "kept") and meet it twice. */

static double worker_ms;

static void *new_worker(void *unused)
{
    own_begin("worker");
    compute_ms(worker_ms);
    own_end();
    return unused;
}

static void *kept_worker(void *unused)
{
    own_begin("worker");
    for (int i = 0; i < rounds; i++) {
        meet("first");
        compute_ms(worker_ms);
        meet("worker");
    }
    own_end();
    return unused;
}

static void round_of_new(void)
{
    pthread_t one = thread_begin(new_worker, NULL), two = thread_begin(new_worker, NULL);
    thread_join(one, "worker");
    thread_join(two, "worker");
}

int64_t scene_startup(const struct scene_options *options)
{
    double first_ms = strcmp(options->form, "parallel") == 0 ? 0 : 4;
    pthread_t kept[2];
    rounds = options->rounds;
    worker_ms = first_ms > 0 ? 6 : 8;
    pthread_barrier_init(&barrier, NULL, 3);
    own_begin("first");
    for (int i = 0; options->word && i < 2; i++)
        kept[i] = thread_begin(kept_worker, NULL);
    for (int i = 0; i < rounds; i++) {
        compute_ms(first_ms);
        if (options->word) {
            meet("worker");
            meet("worker");
        } else {
            round_of_new();
        }
    }
    for (int i = 0; options->word && i < 2; i++)
        thread_join(kept[i], "worker");
    own_end();
    return rounds;
}
