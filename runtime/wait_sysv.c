#include "runtime/wait_sysv.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/sem.h>

#include "runtime/system.h"
#include "runtime/wait.h"

static unsigned long object_of(int set, const struct sembuf *operation)
{
    return (unsigned long)TRACE_SEMAPHORE_SET << 48 | (unsigned long)(unsigned)set << 16 |
           operation->sem_num;
}

/* Written before it is known whether they have to wait themselves. */
static void release(unsigned site, int set, const struct sembuf *operations, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        unsigned long object = object_of(set, &operations[i]);
        if (operations[i].sem_op == 0 || !waiters_any(object))
            continue;
        if (operations[i].sem_op > 0)
            wait_record_release(site, object, TRACE_OP_SEMAPHORE, TRACE_RELEASE_ONE,
                                (unsigned)operations[i].sem_op);
        else
            wait_record_release(site, object, TRACE_OP_SEMAPHORE_ZERO, TRACE_RELEASE_BROADCAST, 1);
    }
}

static struct wait wait_of(unsigned site, int set, const struct sembuf *operation)
{
    bool takes = operation->sem_op < 0;
    return (struct wait){.site = site,
                         .operation = takes ? TRACE_OP_SEMAPHORE : TRACE_OP_SEMAPHORE_ZERO,
                         .object = object_of(set, operation),
                         .amount = takes ? (unsigned)-operation->sem_op : 1};
}

static void note_taken(unsigned site, int set, const struct sembuf *operations, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        if (operations[i].sem_op < 0 && waiters_any(object_of(set, &operations[i])))
            wait_record_taking(wait_of(site, set, &operations[i]));
}

/* It has to wait, as the semaphores are now. */
static bool would_wait(int set, const struct sembuf *operation)
{
    int value = semctl(set, operation->sem_num, GETVAL);
    return operation->sem_op < 0 ? value < -operation->sem_op
                                 : operation->sem_op == 0 && value != 0;
}

/* The one that is waited for; NULL: none, as far as can be seen, or one that does not wait. */
static const struct sembuf *find_waiting(int set, const struct sembuf *operations,
                                         unsigned long count)
{
    const struct sembuf *found = NULL;
    int error = errno;
    for (unsigned long i = 0; i < count && !found; i++)
        if (would_wait(set, &operations[i]))
            found = &operations[i];
    errno = error;
    return found && !(found->sem_flg & IPC_NOWAIT) ? found : NULL;
}

#define MOST_OPERATIONS 16 /* that are tried first; Linux has 500 */

/* What the real call refuses is left to it. */
static bool can_be_tried(const struct sembuf *operations, unsigned long count,
                         const struct timespec *timeout)
{
    int error = errno;
    bool can = count && count <= MOST_OPERATIONS &&
               system_can_read(operations, count * sizeof *operations) &&
               (!timeout || (system_can_read(timeout, sizeof *timeout) && timeout->tv_sec >= 0 &&
                             timeout->tv_nsec >= 0 && timeout->tv_nsec < 1000000000));
    errno = error;
    return can;
}

static int try_all(int set, const struct sembuf *operations, unsigned long count)
{
    struct sembuf tries[MOST_OPERATIONS];
    for (unsigned long i = 0; i < count; i++) {
        tries[i] = operations[i];
        tries[i].sem_flg |= IPC_NOWAIT;
    }
    return semop(set, tries, count);
}

/* EAGAIN is its time-out here. */
static int end_wait(struct wait *w, int result)
{
    int error = result == 0 ? 0 : errno;
    wait_end_if_waited(w, error == EAGAIN ? ETIMEDOUT : error);
    return result;
}

#define SEM_OP(timeout, call)                                                                      \
    const struct sembuf *all = operations, *waiting;                                               \
    int error = errno;                                                                             \
    if (!can_be_tried(all, count, timeout))                                                        \
        return (call);                                                                             \
    release(site, set, all, count);                                                                \
    if (try_all(set, all, count) == 0) {                                                           \
        note_taken(site, set, all, count);                                                         \
        return 0;                                                                                  \
    }                                                                                              \
    if (errno != EAGAIN)                                                                           \
        return -1;                                                                                 \
    errno = error;                                                                                 \
    waiting = find_waiting(set, all, count);                                                       \
    if (!waiting)                                                                                  \
        return (call);                                                                             \
    struct wait w = wait_of(site, set, waiting);                                                   \
    wait_begin(&w);                                                                                \
    return end_wait(&w, (call))

int wait_sem_op(unsigned site, int set, void *operations, unsigned long count)
{
    SEM_OP(NULL, semop(set, operations, count));
}

int wait_sem_timedop(unsigned site, int set, void *operations, unsigned long count,
                     const void *timeout)
{
    SEM_OP(timeout, semtimedop(set, operations, count, timeout));
}
