#ifndef INPUT_H
#define INPUT_H
#include <pthread.h>
#define LOCK(s) VPROF_SYNC1(10, mutex_lock, pthread_mutex_lock, &(s)->lock)
#define UNLOCK(s)                          \
    do {                                   \
        VPROF_SYNC1(11, mutex_unlock, pthread_mutex_unlock, &(s)->lock);  \
    } while (0)
#define WAIT(s, cond) while (!(cond)) VPROF_SYNC2(12, cond_wait, pthread_cond_wait, &(s)->ready, &(s)->lock)
#define NAMED(s, what) pthread_mutex_##what(&(s)->lock)
#define SIGNAL pthread_cond_signal
#endif
