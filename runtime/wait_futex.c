#include "runtime/wait_futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/wait.h"

enum { WORD, OPERATION, VALUE };

static long call(const long *a)
{
    return syscall(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long futex_wait(unsigned site, const long *a)
{
    struct wait w = {.site = site, .operation = TRACE_OP_FUTEX, .object = (unsigned long)a[WORD]};
    wait_begin(&w);
    long result = call(a);
    int error = errno;
    wait_end_if_waited(&w, result == 0 ? 0 : error);
    errno = error;
    return result;
}

/* A thread that was woken may have returned before the call does: the release's time is the one
 * before. `most` are woken; the result also counts those that were moved. */
static long futex_wake(unsigned site, const long *a, unsigned most)
{
    delay_before_release((unsigned long)a[WORD]);
    uint64_t time = clock_now();
    long result = call(a);
    int error = errno;
    unsigned woken = result > most ? most : (unsigned)result;
    if (result > 0 && woken)
        wait_record_release_at(time, site, (unsigned long)a[WORD], TRACE_OP_FUTEX,
                               TRACE_RELEASE_ONE, woken);
    errno = error;
    return result;
}

long wait_futex(unsigned site, const long *arguments)
{
    switch ((int)arguments[OPERATION] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(site, arguments);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return futex_wake(site, arguments, UINT_MAX);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return futex_wake(site, arguments, (unsigned)arguments[VALUE]);
    default:
        return call(arguments);
    }
}
