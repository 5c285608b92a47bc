/* Threads that hand items on. A has each for 2 ms, B for 5 ms, then a device or a thread C for 5 ms. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "own_time.h"
#include "queue.h"
#include "scene.h"
#include "work.h"

static int rounds;
static struct device device;
static struct queue a_to_b = QUEUE("A", "B", 4);

static void a_works(void)
{
    for (int i = 0; i < rounds; i++) {
        compute_ms(2);
        queue_put(&a_to_b);
    }
}

/* ---- B writes by itself, or has a thread for that and two buffers ---- */

static struct queue b_to_writer = QUEUE("B", "writer", 1);

static void *single_b(void *unused)
{
    own_begin("B");
    for (int i = 0; i < rounds; i++) {
        queue_take(&a_to_b);
        compute_ms(5);
        device_use(&device, 5);
    }
    own_end();
    return unused;
}

static void *double_b(void *unused)
{
    own_begin("B");
    for (int i = 0; i < rounds; i++) {
        queue_take(&a_to_b);
        compute_ms(5);
        queue_put(&b_to_writer);
    }
    own_end();
    return unused;
}

static void *writer(void *unused)
{
    own_begin("writer");
    for (int i = 0; i < rounds; i++) {
        queue_take(&b_to_writer);
        device_use(&device, 5);
    }
    own_end();
    return unused;
}

int64_t scene_buffer(const struct scene_options *options)
{
    bool two = strcmp(options->form, "double") == 0;
    rounds = options->rounds;
    own_begin("A");
    device_open(&device, options->word);
    pthread_t b = thread_begin(two ? double_b : single_b, NULL), w = 0;
    if (two)
        w = thread_begin(writer, NULL);
    a_works();
    thread_join(b, "B");
    if (two)
        thread_join(w, "writer");
    device_tell(&device);
    own_end();
    return rounds;
}

/* ---- C has each item while B waits; with a heartbeat beside them, if wanted ----
 *      Of the form "steady", B and C have it for 1 to 3 ms, as the dice fall, and C for so much longer
 *      as the word says. */

static bool steady;
static double longer = 1;

/* A generator of its own for each thread (Marsaglia, Xorshift RNGs, 2003). */
static double mean_2_ms(uint32_t *dice)
{
    *dice ^= *dice << 13;
    *dice ^= *dice >> 17;
    *dice ^= *dice << 5;
    return 1 + 2 * (*dice / 4294967296.0);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static bool c_has_it, over;

static void wait_until(bool there, const char *whom)
{
    struct own_moment since = own_now();
    pthread_mutex_lock(&lock);
    while (c_has_it != there)
        pthread_cond_wait(&handed, &lock);
    pthread_mutex_unlock(&lock);
    own_waited(&since, whom);
}

static void hand(bool to_c)
{
    pthread_mutex_lock(&lock);
    c_has_it = to_c;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&handed);
}

static void *stage_b(void *unused)
{
    uint32_t dice = 1;
    own_begin("B");
    for (int i = 0; i < rounds; i++) {
        queue_take(&a_to_b);
        compute_ms(steady ? mean_2_ms(&dice) : 5);
        hand(true);
        wait_until(false, "C");
    }
    own_end();
    return unused;
}

static void *stage_c(void *unused)
{
    uint32_t dice = 2;
    own_begin("C");
    for (int i = 0; i < rounds; i++) {
        wait_until(true, "B");
        compute_ms(steady ? longer * mean_2_ms(&dice) : 5);
        hand(false);
    }
    own_end();
    return unused;
}

static void *heartbeat(void *unused)
{
    own_begin("heartbeat");
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        struct own_moment since = own_now();
        nap_ms(100);
        own_waited(&since, "timer");
    }
    own_end();
    return unused;
}

int64_t scene_stage(const struct scene_options *options)
{
    bool beats = strcmp(options->form, "heartbeat") == 0;
    rounds = options->rounds;
    steady = strcmp(options->form, "steady") == 0;
    if (steady && options->word)
        longer = atof(options->word);
    own_begin("A");
    pthread_t b = thread_begin(stage_b, NULL), c = thread_begin(stage_c, NULL), h = 0;
    if (beats)
        h = thread_begin(heartbeat, NULL);
    a_works();
    thread_join(b, "B");
    thread_join(c, "C");
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
    if (beats)
        thread_join(h, "heartbeat");
    own_end();
    return rounds;
}
