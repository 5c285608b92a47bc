#include "table.h"

#include <pthread.h>
#include <unistd.h>

enum { SLOTS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned slots[SLOTS];

unsigned table_get(unsigned key)
{
    pthread_mutex_lock(&lock);
    unsigned value = slots[key % SLOTS];
    pthread_mutex_unlock(&lock);
    return value;
}

void table_put(unsigned key, unsigned value)
{
    pthread_mutex_lock(&lock);
    slots[key % SLOTS] = value;
    pthread_mutex_unlock(&lock);
}

/* The sleep stands for work on the table that takes long. */
void table_vacuum(unsigned us)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++)
        slots[i] &= 0xffffff;
    usleep(us);
    pthread_mutex_unlock(&lock);
}
