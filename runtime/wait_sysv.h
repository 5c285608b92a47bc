/* wait_sysv.h - System V semaphores, recorded: semop and semtimedop.
 *
 * A call may take from some semaphores of a set and give to others. It is tried first; where it has
 * to wait, it is a block on the first semaphore that is not as it should be. What it gave are
 * releases, recorded when it is done. One of more than 16 operations is left alone.
 *
 * The object is a number that no address has: TRACE_SEMAPHORE_SET, with the set's id and the
 * semaphore's number. In glibc neither call is a cancellation point.
 */
#ifndef RUNTIME_WAIT_SYSV_H
#define RUNTIME_WAIT_SYSV_H

int wait_sem_op(unsigned site, int set, void *operations, unsigned long count);
int wait_sem_timedop(unsigned site, int set, void *operations, unsigned long count,
                     const void *timeout);

#endif
