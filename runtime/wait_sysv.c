#include "runtime/wait_sysv.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sem.h>

#include "runtime/clock.h"
#include "runtime/readable.h"
#include "runtime/wait.h"

static unsigned long object_of(int set, const struct sembuf *operation)
{
    return (unsigned long)TRACE_SEMAPHORE_SET << 48 | (unsigned long)(unsigned)set << 16 |
           operation->sem_num;
}

static struct wait wait_of(unsigned site, int set, const struct sembuf *operation)
{
    bool takes = operation->sem_op < 0;
    return (struct wait){.site = site,
                         .operation = takes ? TRACE_OP_SEMAPHORE : TRACE_OP_SEMAPHORE_ZERO,
                         .object = object_of(set, operation),
                         .amount = takes ? (unsigned)-operation->sem_op : 1};
}

#define MOST_OPERATIONS 16 /* Linux has 500 */

/* A call is kept with what others waited for when it began. The program may change its own array
 * while it waits. */
struct operations {
    unsigned site;
    int set;
    unsigned long count;
    struct sembuf all[MOST_OPERATIONS];
    bool awaited[MOST_OPERATIONS];
    uint64_t start;
};

static int call(int set, struct sembuf *operations, unsigned long count,
                const struct timespec *timeout)
{
    return timeout ? semtimedop(set, operations, count, timeout) : semop(set, operations, count);
}

static void note_awaited(struct operations *o)
{
    for (unsigned long i = 0; i < o->count; i++) {
        unsigned long object = object_of(o->set, &o->all[i]);
        if (o->all[i].sem_op > 0 || waiters_any(object))
            delay_before_release(object);
        o->awaited[i] = waiters_any(object);
    }
    o->start = clock_now();
}

/* The operations were done, at `time` for those who waited for them; but for the one that the call
 * waited for itself, whose taking is in its block. */
static void record_done(const struct operations *o, uint64_t time, const struct sembuf *waiting)
{
    for (unsigned long i = 0; i < o->count; i++) {
        const struct sembuf *one = &o->all[i];
        unsigned long object = object_of(o->set, one);
        if (!o->awaited[i] || one->sem_op == 0)
            continue;
        if (one->sem_op > 0) {
            wait_record_release_at(time, o->site, object, TRACE_OP_SEMAPHORE, TRACE_RELEASE_ONE,
                                   (unsigned)one->sem_op);
            continue;
        }
        wait_record_release_at(time, o->site, object, TRACE_OP_SEMAPHORE_ZERO,
                               TRACE_RELEASE_BROADCAST, 1);
        if (one != waiting)
            wait_record_taking(wait_of(o->site, o->set, one));
    }
}

/* The operation has to wait, as the semaphores are now and by what is done to this one before it.
 */
static bool would_wait(const struct operations *o, unsigned long i)
{
    const struct sembuf *one = &o->all[i];
    int value = semctl(o->set, one->sem_num, GETVAL);
    for (unsigned long before = 0; before < i; before++)
        if (o->all[before].sem_num == one->sem_num)
            value += o->all[before].sem_op;
    return one->sem_op < 0 ? value < -one->sem_op : one->sem_op == 0 && value != 0;
}

/* The call waits for this operation; NULL: for none, as far as can be seen, or for one that does
 * not wait. */
static const struct sembuf *find_waiting(const struct operations *o)
{
    const struct sembuf *found = NULL;
    int error = errno;
    for (unsigned long i = 0; i < o->count && !found; i++)
        if (would_wait(o, i))
            found = &o->all[i];
    errno = error;
    return found && !(found->sem_flg & IPC_NOWAIT) ? found : NULL;
}

/* Arguments that the real call refuses are left to it. */
static bool can_be_tried(const struct sembuf *operations, unsigned long count,
                         const struct timespec *timeout)
{
    return count && count <= MOST_OPERATIONS && readable(operations, count * sizeof *operations) &&
           (!timeout || (readable(timeout, sizeof *timeout) && timeout->tv_sec >= 0 &&
                         timeout->tv_nsec >= 0 && timeout->tv_nsec < 1000000000));
}

static int try_all(const struct operations *o, const struct timespec *timeout)
{
    struct sembuf tries[MOST_OPERATIONS];
    for (unsigned long i = 0; i < o->count; i++) {
        tries[i] = o->all[i];
        tries[i].sem_flg |= IPC_NOWAIT;
    }
    return call(o->set, tries, o->count, timeout);
}

/* An errno number becomes that of a wait, as wait.h has it: EAGAIN is its time-out, EIDRM that
 * nothing is left to wait for. */
static int wait_error(int result)
{
    if (result == 0)
        return 0;
    return errno == EAGAIN ? ETIMEDOUT : errno == EIDRM ? EINTR : errno;
}

static int wait_for_all(struct operations *o, struct sembuf *operations,
                        const struct timespec *timeout)
{
    const struct sembuf *waiting = find_waiting(o);
    struct wait w = waiting ? wait_of(o->site, o->set, waiting) : (struct wait){0};
    note_awaited(o);
    if (waiting)
        wait_begin(&w);
    int result = call(o->set, operations, o->count, timeout);
    int error = errno;
    uint64_t end = clock_now();
    if (waiting) {
        wait_end_if_waited(&w, wait_error(result));
        memset(o->awaited, true, sizeof o->awaited); /* who came meanwhile was not counted */
    }
    if (result == 0)
        record_done(o, waiting ? end : o->start, waiting);
    errno = error;
    return result;
}

int wait_sem_timedop(unsigned site, int set, void *operations, unsigned long count,
                     const void *timeout)
{
    struct operations o = {.site = site, .set = set, .count = count};
    int error = errno;
    if (!can_be_tried(operations, count, timeout))
        return call(set, operations, count, timeout);
    memcpy(o.all, operations, count * sizeof *o.all);
    note_awaited(&o);
    int result = try_all(&o, timeout);
    if (result == 0) {
        record_done(&o, o.start, NULL);
    } else if (errno == EAGAIN) {
        errno = error;
        result = wait_for_all(&o, operations, timeout);
    }
    return result;
}

int wait_sem_op(unsigned site, int set, void *operations, unsigned long count)
{
    return wait_sem_timedop(site, set, operations, count, NULL);
}
