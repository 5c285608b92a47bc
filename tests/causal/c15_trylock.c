/* c15_trylock.c - who is first at a meeting spins for a lock that the other needs: the sooner it comes, the longer both take.
 *
 *     a    20 turns: 0.2 ms outside, 0.3 ms inside the lock
 *     b    f 8 ms, then again and again, until a is done: 0.7 ms inside the lock, 0.1 ms outside
 *
 * Both spin on trylock, as PARSEC's barrier does. While f runs a turn of a's takes 0.5 ms, afterwards 1 ms. With x = 1 - s
 * a round takes 8 x + 2 (10 - 8 x), but for what is left of b's turn: f faster makes it slower. With "--spin 0" b waits at
 * a barrier: f faster changes nothing. */
#include "work.h"

enum { TURNS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static double left_f;
static unsigned turns, until; /* of all rounds; when this one is over */
static int spins;

static __attribute__((noinline)) void f(void)
{
    work_ms(8 * left_f);
}

static void take(void)
{
    while (pthread_mutex_trylock(&lock) != 0)
        ;
}

static void turn(void)
{
    work_ms(0.2);
    take();
    work_ms(0.3);
    turns++;
    pthread_mutex_unlock(&lock);
}

static int look(void)
{
    take();
    int is_done = turns == until;
    if (!is_done)
        work_ms(0.7);
    pthread_mutex_unlock(&lock);
    if (!is_done)
        work_ms(0.1);
    return is_done;
}

static void *second(void *unused)
{
    for (until = TURNS;; until += TURNS) {
        f();
        while (spins && !look())
            ;
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_f = left("f");
    spins = work_option("spin", 1) > 0;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, second, NULL);
    while (work_goes_on()) {
        for (int i = 0; i < TURNS; i++)
            turn();
        pthread_barrier_wait(&barrier);
        VPROF_PROGRESS("round");
    }
    return 0;
}
