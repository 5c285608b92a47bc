#ifndef INPUT_H
#define INPUT_H
#include <pthread.h>
#define LOCK(s) pthread_mutex_lock(&(s)->lock)
#define UNLOCK(s)                          \
    do {                                   \
        pthread_mutex_unlock(&(s)->lock);  \
    } while (0)
#define WAIT(s, cond) while (!(cond)) pthread_cond_wait(&(s)->ready, &(s)->lock)
#define NAMED(s, what) pthread_mutex_##what(&(s)->lock)
#define SIGNAL pthread_cond_signal
#endif
