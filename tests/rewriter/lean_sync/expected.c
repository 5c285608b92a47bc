#include <pthread.h>
#include <stdlib.h>

static int taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(int *lock)
{VPROF_FUNCTION(1)
    *lock = 1;
}

static void give(int *lock)
{VPROF_FUNCTION(2)
    *lock = 0;
}

/* Who calls synchronization is named by the report. */
static void enter(void)
{VPROF_FUNCTION(3)
    __extension__({VPROF_ACQUIRING(8) take(VPROF_OBJECT(8, &taken));});
    VPROF_SYNC1(9, mutex_lock, pthread_mutex_lock, &mutex);
}

static void leave(void)
{VPROF_FUNCTION(4)
    VPROF_SYNC1(10, mutex_unlock, pthread_mutex_unlock, &mutex);
    give(VPROF_RELEASED(11, &taken));
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
    VPROF_SYNC1(16, mutex_lock, pthread_mutex_lock, &mutex);
    VPROF_SYNC1(17, mutex_unlock, pthread_mutex_unlock, &mutex);
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
