#include "input.h"

const struct methods methods = {pthread_mutex_lock, &pthread_mutex_unlock};

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int (*unlock)(pthread_mutex_t *) = pthread_mutex_unlock;
    methods.enter(&m);
    unlock(&m);
    return run(&methods, &m) + untouched(0);
}
