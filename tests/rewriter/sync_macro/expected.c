#include "input.h"
#include <stdio.h>

struct shared {
    pthread_mutex_t lock;
    pthread_cond_t ready;
};

int main(void)
{
    struct shared shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    LOCK(&shared);
    WAIT(&shared, puts("ready") > 0);
    UNLOCK(&shared);
    if (NAMED(&shared, lock) || SIGNAL(&shared.ready))
        return 1;
    UNLOCK(&shared);
    return puts("done") < 0;
}
