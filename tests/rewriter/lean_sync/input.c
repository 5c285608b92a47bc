#include <pthread.h>
#include <stdlib.h>

static int taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(int *lock)
{
    *lock = 1;
}

static void give(int *lock)
{
    *lock = 0;
}

/* Who calls synchronization is named by the report. */
static void enter(void)
{
    take(&taken);
    pthread_mutex_lock(&mutex);
}

static void leave(void)
{
    pthread_mutex_unlock(&mutex);
    give(&taken);
}

static void (*volatile first)(void) = enter;

/* Declared untimed, as is take(), which may wait: no probe but at synchronization. */
static void spin(void)
{
    for (int i = 0; i < 3; i++) {
        first();
        leave();
        free(malloc(8));
    }
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

/* Short. */
static void both(void)
{
    enter();
    leave();
    spin();
}

int main(void)
{
    both();
    return 0;
}
