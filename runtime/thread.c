#include "runtime/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

#include "runtime/attach.h"
#include "runtime/callers.h"
#include "runtime/clock.h"
#include "runtime/frames.h"
#include "runtime/log.h"
#include "runtime/recording.h"
#include "runtime/stacks.h"
#include "runtime/wait.h"

struct start {
    void *(*routine)(void *);
    void *arg;
    uint64_t token;
    uint32_t stack_kib;
};

static pthread_key_t end_key;
static uint64_t last_token;

static void record(enum trace_thread_what what, uint64_t token, unsigned site)
{
    if (!recording_is_on())
        return;
    uint64_t pthread = what == TRACE_THREAD_CREATE ? callers_number() : (uint64_t)pthread_self();
    struct trace_thread_event *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->token = token;
    r->pthread = pthread;
    r->what = what;
    r->site = site;
    log_commit(&r->head, clock_now(), TRACE_THREAD);
}

/* Other keys' destructors may still record; so this one waits for the last round of destructors but
 * one, counting them in the key's value. In the last one sanitizers take their wrappers down. */
static void thread_end(void *round)
{
    intptr_t n = (intptr_t)round;
    if (n < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
        pthread_setspecific(end_key, (void *)(n + 1));
        return;
    }
    delay_before_release((unsigned long)pthread_self());
    if (log_self.start)
        wait_record_release(0, (unsigned long)pthread_self(), TRACE_OP_JOIN,
                            TRACE_RELEASE_BROADCAST, 1);
    log_name_thread();
    record(TRACE_THREAD_EXIT, log_self.start, 0);
    log_close();
    frames_end();
    stacks_end();
}

bool thread_start_up(void)
{
    return pthread_key_create(&end_key, thread_end) == 0;
}

void thread_notice(void)
{
    pthread_setspecific(end_key, (void *)1);
}

static struct start begin(void *p)
{
    struct start s = *(struct start *)p;
    free(p);
    log_self.start = (uint64_t)(uintptr_t)s.routine;
    log_self.own_kib = s.stack_kib;
    record(TRACE_THREAD_STARTED, s.token, 0);
    return s;
}

static void *thread_main(void *p)
{
    struct start s = begin(p);
    return s.routine(s.arg);
}

static int thread_main_c11(void *p)
{
    struct start s = begin(p);
    return ((thrd_start_t)(void (*)(void))s.routine)(s.arg);
}

/* The new thread is given the result, which is NULL without memory. Nothing here is seen in errno.
 */
static struct start *start_new(unsigned site, const void *attr, void *(*routine)(void *), void *arg)
{
    int error = errno;
    attach_scan();
    delay_before_taking(); /* the new thread has none of it */
    struct start *s = malloc(sizeof *s);
    if (s) {
        *s = (struct start){routine, arg, __atomic_add_fetch(&last_token, 1, __ATOMIC_RELAXED),
                            stacks_own_kib(attr)};
        record(TRACE_THREAD_CREATE, s->token, site);
    }
    errno = error;
    return s;
}

int thread_create(unsigned site, void *thread, const void *attr, void *(*start)(void *), void *arg)
{
    struct start *s = start_new(site, attr, start, arg);
    if (!s)
        return pthread_create(thread, attr, start, arg);
    int rc = pthread_create(thread, attr, thread_main, s);
    if (rc != 0)
        free(s);
    return rc;
}

int thread_create_c11(unsigned site, void *thread, int (*start)(void *), void *arg)
{
    struct start *s = start_new(site, NULL, (void *(*)(void *))(void (*)(void))start, arg);
    if (!s)
        return thrd_create(thread, start, arg);
    int rc = thrd_create(thread, thread_main_c11, s);
    if (rc != thrd_success)
        free(s);
    return rc;
}

#define JOIN(answer, call)                                                                         \
    struct wait w = {.site = site, .operation = TRACE_OP_JOIN, .object = thread};                  \
    int rc;                                                                                        \
    wait_begin(&w);                                                                                \
    pthread_cleanup_push(wait_cancelled, &w);                                                      \
    rc = (call);                                                                                   \
    pthread_cleanup_pop(0);                                                                        \
    wait_end_if_waited(&w, answer);                                                                \
    return rc

int thread_join(unsigned site, unsigned long thread, void **result)
{
    JOIN(rc, pthread_join((pthread_t)thread, result));
}

int thread_timedjoin(unsigned site, unsigned long thread, void **result, const void *abstime)
{
    JOIN(rc, pthread_timedjoin_np((pthread_t)thread, result, abstime));
}

int thread_clockjoin(unsigned site, unsigned long thread, void **result, int clock,
                     const void *abstime)
{
    JOIN(rc, pthread_clockjoin_np((pthread_t)thread, result, clock, abstime));
}

int thread_join_c11(unsigned site, unsigned long thread, int *result)
{
    JOIN(rc == thrd_success ? 0 : EINVAL, thrd_join((thrd_t)thread, result));
}
