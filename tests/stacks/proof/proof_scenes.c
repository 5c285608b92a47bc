/* Programs that know how often a function of theirs was called, and how long it took.
 *
 *     proof_scenes OWN.json exponential SECONDS    serve computes for times of an exponential law of mean 1 ms
 *     proof_scenes OWN.json requests SECONDS       handle calls parse once or twice and sleeps; each is a request
 *     proof_scenes OWN.json recursion SECONDS      walk calls itself 1 to 6 deep, and computes at each
 *     proof_scenes OWN.json tails SECONDS          first goes on in last by a jump, which others call too
 *     proof_scenes OWN.json hot SECONDS            tiny is called millions of times a second
 *     proof_scenes OWN.json often SECONDS          often is called some 5,000 times a second
 *     proof_scenes OWN.json threads SECONDS        8 threads compute in work and sleep
 *     proof_scenes OWN.json inlined SECONDS        there is no function small in it: it was inlined
 *
 * OWN.json has how long calls were to take at least, and what they took, by CLOCK_MONOTONIC around them: whatever
 * else the machine does, their lengths lie in between. It is compiled without frame pointers.
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__clang__)
#define KEPT static __attribute__((noinline, used))
#else
#define KEPT static __attribute__((noinline, noclone, used))
#endif

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static volatile uint64_t sum;
static volatile int behind; /* counted behind a call, which is then not a function's last thing */
static int64_t until_ns;

static inline __attribute__((always_inline)) void compute_until(int64_t end_ns)
{
    while (now_ns() < end_ns)
        for (int i = 0; i < 200; i++)
            sum += (uint64_t)i;
}

static void sleep_us(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static int goes_on(void)
{
    return now_ns() < until_ns;
}

/* ---- what was asked for, and measured ---- */

enum { MOST_CALLS = 1 << 20 };

static struct {
    pthread_mutex_t lock;
    uint64_t calls;
    int64_t asked_ns, sum_ns; /* of all calls */
    int64_t *asked, *took;    /* of each */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A call was to take so long at least, and took so long with what is around it. */
static void took(int64_t asked_ns, int64_t ns)
{
    pthread_mutex_lock(&own.lock);
    if (own.calls < MOST_CALLS) {
        own.asked[own.calls] = asked_ns;
        own.took[own.calls] = ns;
    }
    own.calls++;
    own.asked_ns += asked_ns;
    own.sum_ns += ns;
    pthread_mutex_unlock(&own.lock);
}

static uint64_t seed = 88172645463325252u;

static double uniform(void) /* in (0, 1): xorshift64, Marsaglia 2003 */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

/* ---- scenes ---- */

KEPT void serve(int64_t ns)
{
    compute_until(now_ns() + ns);
    behind++;
}

static void exponential(void)
{
    while (goes_on()) {
        int64_t ns = (int64_t)(-log(uniform()) * 1e6), before = now_ns();
        serve(ns);
        took(ns, now_ns() - before);
    }
}

KEPT void parse(int64_t ns)
{
    compute_until(now_ns() + ns);
    behind++;
}

KEPT void handle(int twice)
{
    parse(500000);
    if (twice)
        parse(500000);
    sleep_us(1000);
    behind++;
}

static void requests(void)
{
    for (int i = 0; goes_on(); i++) {
        int64_t before = now_ns();
        handle(i & 1);
        took(i & 1 ? 2000000 : 1500000, now_ns() - before);
    }
}

KEPT int walk(int deep)
{
    compute_until(now_ns() + 1000000);
    own.calls++;
    own.asked_ns += 1000000;
    int below = deep > 1 ? walk(deep - 1) : 0;
    behind++;
    return below + 1;
}

static void recursion(void)
{
    for (int i = 0; goes_on(); i++) {
        int64_t before = now_ns();
        walk(i % 6 + 1);
        own.sum_ns += now_ns() - before;
    }
}

KEPT int last(int n)
{
    compute_until(now_ns() + 600000);
    return n * 3 + behind;
}

KEPT int first(int n)
{
    compute_until(now_ns() + 1000000);
    return n & 1 ? last(n + 1) : last(n + 2); /* compiled to jumps */
}

static void tails(void)
{
    for (int i = 0; goes_on(); i++) {
        int64_t before = now_ns();
        sum += (uint64_t)first(i);
        took(1600000, now_ns() - before);
        sum += (uint64_t)last(i);
    }
}

KEPT int tiny(int n)
{
    __asm__ volatile("" ::: "memory");
    return n + 1;
}

static void hot(void)
{
    volatile int n = 0;
    while (goes_on())
        for (int i = 0; i < 100000; i++, own.calls++)
            n = tiny(n);
}

KEPT void often(void)
{
    compute_until(now_ns() + 100000);
    behind++;
}

static void do_often(void)
{
    while (goes_on()) {
        int64_t before = now_ns();
        often();
        took(100000, now_ns() - before);
        compute_until(now_ns() + 100000);
    }
}

KEPT void work(int n)
{
    compute_until(now_ns() + 200000 + n * 10000);
    sleep_us(10000);
    behind++;
}

static void *worker(void *number)
{
    while (goes_on()) {
        int64_t before = now_ns();
        work((int)(intptr_t)number);
        took(10200000 + (intptr_t)number * 10000, now_ns() - before);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[8];
    for (intptr_t i = 0; i < 8; i++)
        pthread_create(&all[i], NULL, worker, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(all[i], NULL);
}

static inline __attribute__((always_inline)) void small(void)
{
    compute_until(now_ns() + 100000);
}

static void inlined(void)
{
    while (goes_on())
        small();
}

/* ---- */

static const struct {
    const char *name;
    void (*play)(void);
} scenes[] = {{"exponential", exponential},
              {"requests", requests},
              {"recursion", recursion},
              {"tails", tails},
              {"hot", hot},
              {"often", do_often},
              {"threads", threads},
              {"inlined", inlined}};

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

/* The middle one, or the mean of the two that are. */
static double middle(const int64_t *sorted, uint64_t count)
{
    return count ? (double)(sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : 0;
}

static int write_own(const char *path, int64_t wall_ns)
{
    FILE *file = fopen(path, "w");
    uint64_t count = own.calls < MOST_CALLS ? own.calls : 0;
    if (!file)
        return 1;
    qsort(own.asked, count, sizeof *own.asked, by_size);
    qsort(own.took, count, sizeof *own.took, by_size);
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    fprintf(file, "{\"calls\": %" PRIu64 ", \"asked_ns\": %" PRId64 ", \"sum_ns\": %" PRId64,
            own.calls, own.asked_ns, own.sum_ns);
    fprintf(file, ", \"asked_p50_ns\": %.1f, \"p50_ns\": %.1f", middle(own.asked, count),
            middle(own.took, count));
    fprintf(file, ", \"asked_most_ns\": %" PRId64 ", \"most_ns\": %" PRId64,
            count ? own.asked[count - 1] : 0, count ? own.took[count - 1] : 0);
    fprintf(file, ", \"wall_ns\": %" PRId64 ", \"cpu_ns\": %" PRId64 "}\n", wall_ns,
            (int64_t)cpu.tv_sec * 1000000000 + cpu.tv_nsec);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    int64_t begin = now_ns();
    if (argc != 4)
        return 2;
    own.asked = calloc(MOST_CALLS, sizeof *own.asked);
    own.took = calloc(MOST_CALLS, sizeof *own.took);
    if (!own.asked || !own.took)
        return 1;
    until_ns = begin + (int64_t)(atof(argv[3]) * 1e9);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(argv[2], scenes[i].name) == 0) {
            scenes[i].play();
            return write_own(argv[1], now_ns() - begin);
        }
    return 2;
}
