/* c8_loop.c - one client thinks for 6 ms, asleep, and asks a server, 4 ms of work: with the server faster by s the period
 * gains 0.4 s, the latency s. */
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn; /* 1: the server's */
static double left_serve;

static __attribute__((noinline)) void serve(void)
{
    work_ms(4 * left_serve);
}

static void hand(int from, int to)
{
    pthread_mutex_lock(&lock);
    turn = to;
    pthread_cond_broadcast(&changed);
    while (turn != from)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *server(void *unused)
{
    pthread_mutex_lock(&lock);
    while (turn != 1)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    while (1) {
        serve();
        hand(1, 0);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct timespec think = {0, 6000000};
    work_start(argc, argv);
    left_serve = left("serve");
    pthread_create(&thread, NULL, server, NULL);
    while (work_goes_on()) {
        nanosleep(&think, NULL);
        SI_BEGIN(1);
        hand(0, 1);
        SI_END(1);
    }
    return 0;
}
