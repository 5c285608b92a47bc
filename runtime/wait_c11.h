/* wait_c11.h - the locks and conditions of <threads.h>, recorded.
 *
 * They do as wait.h's do, with the results of C11: a lock is tried first, a wait that was refused
 * with thrd_error was none. In glibc cnd_wait and cnd_timedwait are cancellation points, mtx_lock
 * is not.
 */
#ifndef RUNTIME_WAIT_C11_H
#define RUNTIME_WAIT_C11_H

int wait_mtx_lock(unsigned site, void *mtx);
int wait_mtx_timedlock(unsigned site, void *mtx, const void *abstime);
int wait_mtx_trylock(unsigned site, void *mtx);
int wait_mtx_unlock(unsigned site, void *mtx);
int wait_cnd_wait(unsigned site, void *cnd, void *mtx);
int wait_cnd_timedwait(unsigned site, void *cnd, void *mtx, const void *abstime);
int wait_cnd_signal(unsigned site, void *cnd);
int wait_cnd_broadcast(unsigned site, void *cnd);

#endif
