/* c6_queue.c - requests come at random, "--rate" a second (600), to one server; each is "--ms" of work (1), exponential
 * or with "--fixed 1" the same for all: M/M/1 and M/D/1, whose latencies Pollaczek and Khinchine tell. */
#include <math.h>

#include "work.h"

enum { ROOM = 4096 };

struct request {
    double ms;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static struct request requests[ROOM];
static unsigned put_at, take_at;
static double left_serve;

static double uniform(unsigned *state)
{
    return (rand_r(state) + 0.5) / (RAND_MAX + 1.0);
}

static __attribute__((noinline)) void serve(const struct request *request)
{
    work_ms(request->ms * left_serve);
}

static void *server(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (take_at == put_at)
            pthread_cond_wait(&came, &lock);
        struct request *request = &requests[take_at++ % ROOM];
        pthread_mutex_unlock(&lock);
        SI_ENTER(request);
        serve(request);
        SI_END(request);
    }
    return unused;
}

static void put(double ms)
{
    struct request *request = &requests[put_at % ROOM];
    request->ms = ms;
    SI_BEGIN(request);
    SI_ENTER(SI_NONE);
    pthread_mutex_lock(&lock);
    put_at++;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
}

static void sleep_ms(double ms)
{
    struct timespec time = {(time_t)(ms / 1e3), (long)(fmod(ms, 1e3) * 1e6)};
    nanosleep(&time, NULL);
}

/* What waking up takes comes off the next pause. */
int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_serve = left("serve");
    double mean_ms = 1e3 / work_option("rate", 600), over = 0;
    double ms = work_option("ms", 1);
    int fixed = work_option("fixed", 0) > 0;
    unsigned state = (unsigned)work_option("seed", 1);
    pthread_create(&thread, NULL, server, NULL);
    while (work_goes_on()) {
        double pause = -log(uniform(&state)) * mean_ms - over,
               from = work_clock_ms(CLOCK_MONOTONIC);
        if (pause > 0)
            sleep_ms(pause);
        over = work_clock_ms(CLOCK_MONOTONIC) - from - pause;
        put(fixed ? ms : -ms * log(uniform(&state)));
    }
    return 0;
}
