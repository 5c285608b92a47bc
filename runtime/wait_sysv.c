#include "runtime/wait_sysv.h"

#include <errno.h>
#include <sys/sem.h>

#include "runtime/system.h"
#include "runtime/wait.h"

static unsigned long object_of(int set, const struct sembuf *operation)
{
    return (unsigned long)TRACE_SEMAPHORE_SET << 48 | (unsigned long)(unsigned)set << 16 |
           operation->sem_num;
}

static void release(unsigned site, int set, const struct sembuf *operations, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        if (operations[i].sem_op > 0)
            wait_release(site, object_of(set, &operations[i]), TRACE_OP_SEMAPHORE,
                         TRACE_RELEASE_ONE);
}

/* The first operation that may have to wait, or `count`. */
static unsigned long first_taking(const struct sembuf *operations, unsigned long count)
{
    unsigned long i = 0;
    while (i < count && (operations[i].sem_op > 0 || (operations[i].sem_flg & IPC_NOWAIT)))
        i++;
    return i;
}

#define MOST_OPERATIONS 500 /* Linux' limit, 3,000 bytes */

/* What the real call refuses is left to it. */
static bool can_be_done(const struct sembuf *operations, unsigned long count)
{
    int error = errno;
    bool can = count && count <= MOST_OPERATIONS &&
               system_can_read(operations, count * sizeof *operations);
    errno = error;
    return can;
}

static int end_wait(const struct wait *w, int result)
{
    wait_end_if_long(w);
    return result;
}

#define SEM_OP(call)                                                                               \
    const struct sembuf *all = operations;                                                         \
    if (!can_be_done(all, count))                                                                  \
        return (call);                                                                             \
    release(site, set, all, count);                                                                \
    unsigned long taking = first_taking(all, count);                                               \
    if (taking == count)                                                                           \
        return (call);                                                                             \
    struct wait w = {site, TRACE_OP_SEMAPHORE, object_of(set, &all[taking]), 0, 0};                \
    wait_begin(&w);                                                                                \
    return end_wait(&w, (call))

int wait_sem_op(unsigned site, int set, void *operations, unsigned long count)
{
    SEM_OP(semop(set, operations, count));
}

int wait_sem_timedop(unsigned site, int set, void *operations, unsigned long count,
                     const void *timeout)
{
    SEM_OP(semtimedop(set, operations, count, timeout));
}
