/* wait_sysv.h - System V semaphores, recorded: semop and semtimedop.
 *
 * A call may take from some semaphores of a set and give to others. What it gives are releases,
 * made before the call; where it took longer than clock_threshold_ticks and takes something, it is
 * a block on the first semaphore that it takes from. It is not tried first: the call is a system
 * call anyway, and one that may wait can hold hundreds of operations.
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
