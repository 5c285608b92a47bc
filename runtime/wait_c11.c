#include "runtime/wait_c11.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "runtime/wait.h"

#define NUMBER(pointer) ((unsigned long)(uintptr_t)(pointer))

static int as_errno(int result)
{
    return result == thrd_success ? 0 : result == thrd_timedout ? ETIMEDOUT : EINVAL;
}

static int end_wait(struct wait *w, int result)
{
    wait_end_if_waited(w, as_errno(result));
    return result;
}

int wait_mtx_trylock(unsigned site, void *mtx)
{
    delay_before_taking();
    int rc = mtx_trylock(mtx);
    if (rc == thrd_success)
        wait_taken(site, NUMBER(mtx), TRACE_OP_MUTEX);
    return rc;
}

#define MTX_LOCK(lock)                                                                             \
    int rc = wait_mtx_trylock(site, mtx);                                                          \
    if (__builtin_expect(rc != thrd_busy, 1))                                                      \
        return rc;                                                                                 \
    struct wait w = {.site = site, .operation = TRACE_OP_MUTEX, .object = NUMBER(mtx)};            \
    wait_begin(&w);                                                                                \
    return end_wait(&w, lock)

int wait_mtx_lock(unsigned site, void *mtx)
{
    MTX_LOCK(mtx_lock(mtx));
}

int wait_mtx_timedlock(unsigned site, void *mtx, const void *abstime)
{
    MTX_LOCK(mtx_timedlock(mtx, abstime));
}

int wait_mtx_unlock(unsigned site, void *mtx)
{
    wait_release(site, NUMBER(mtx), TRACE_OP_MUTEX, TRACE_RELEASE_ONE);
    return mtx_unlock(mtx);
}

#define CND_WAIT(wait)                                                                             \
    struct wait_cond w;                                                                            \
    int rc;                                                                                        \
    wait_cond_begin(&w, site, cnd, mtx);                                                           \
    pthread_cleanup_push(wait_cond_cancelled, &w);                                                 \
    rc = (wait);                                                                                   \
    pthread_cleanup_pop(0);                                                                        \
    wait_cond_end(&w, as_errno(rc));                                                               \
    return rc

int wait_cnd_wait(unsigned site, void *cnd, void *mtx)
{
    CND_WAIT(cnd_wait(cnd, mtx));
}

int wait_cnd_timedwait(unsigned site, void *cnd, void *mtx, const void *abstime)
{
    CND_WAIT(cnd_timedwait(cnd, mtx, abstime));
}

int wait_cnd_signal(unsigned site, void *cnd)
{
    wait_release(site, NUMBER(cnd), TRACE_OP_COND, TRACE_RELEASE_ONE);
    return cnd_signal(cnd);
}

int wait_cnd_broadcast(unsigned site, void *cnd)
{
    wait_release(site, NUMBER(cnd), TRACE_OP_COND, TRACE_RELEASE_BROADCAST);
    return cnd_broadcast(cnd);
}
