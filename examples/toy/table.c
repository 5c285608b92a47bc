#include "table.h"

#include <pthread.h>
#include <unistd.h>

enum { SLOTS = 1024 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned slots[SLOTS];

unsigned table_get(unsigned key)
{
    pthread_mutex_lock(&table_lock);
    unsigned value = slots[key % SLOTS];
    pthread_mutex_unlock(&table_lock);
    return value;
}

void table_put(unsigned key, unsigned value)
{
    pthread_mutex_lock(&table_lock);
    slots[key % SLOTS] = value;
    pthread_mutex_unlock(&table_lock);
}

/* The sleep stands for work on the table that takes long. */
void table_vacuum(unsigned us)
{
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < SLOTS; i++)
        slots[i] &= 0xffffff;
    usleep(us);
    pthread_mutex_unlock(&table_lock);
}
