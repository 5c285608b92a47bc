#include "sampler/priority.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NICE = -15 };

/* A nice value alone counts only among the threads of one group or session, so it is the second
 * choice. */
void priority_raise(void)
{
    struct sched_param lowest = {.sched_priority = 1};
    if (pthread_setschedparam(pthread_self(), SCHED_RR, &lowest) != 0)
        setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
}
