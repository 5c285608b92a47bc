/* wait_futex.h - the system call futex, recorded: FUTEX_WAIT, FUTEX_WAKE and their like.
 *
 * A wait that slept is a block; one whose word had changed already is none. A call that woke
 * threads is a release of as many. Threads that were moved to another futex (FUTEX_CMP_REQUEUE) are
 * woken there, where nobody looks for them, but others may take their wake for theirs;
 * FUTEX_WAKE_OP and priority inheritance are left alone.
 *
 * Result and errno are those of the call. It is no cancellation point.
 */
#ifndef RUNTIME_WAIT_FUTEX_H
#define RUNTIME_WAIT_FUTEX_H

/* The six arguments are those of the system call. */
long wait_futex(unsigned site, const long *arguments);

#endif
