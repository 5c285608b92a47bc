#include <pthread.h>

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

/* Declared untimed, as is take(), which may wait. */
static void spin(void)
{
    for (int i = 0; i < 3; i++) {
        enter();
        leave();
    }
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
