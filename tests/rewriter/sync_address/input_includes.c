#include "input.h"

int run(const struct methods *own, pthread_mutex_t *m)
{
    return own->enter(m) + leave_all(m) - 1;
}
