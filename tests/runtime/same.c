/* same.c: prints what the synchronization functions answer, result and errno, in the cases where a
 * careless wrapper would answer otherwise. The rewritten program must print the same as this one.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <threads.h>

#include "await.h"

#define SAY(call)                                                                                  \
    do {                                                                                           \
        errno = 55;                                                                                \
        int answer = (call);                                                                       \
        printf("%s: %s: %d, %d\n", what, #call, answer, errno);                                    \
    } while (0)

/* Nothing is there. */
static void *volatile nowhere = (void *)8;

static const struct timespec bad_time = {0, -1}, past = {0, 0};

static struct timespec soon(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += 2000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}
#define SOON(clock) (&(struct timespec[]){soon(clock)}[0])
#define REAL CLOCK_REALTIME
#define MONO CLOCK_MONOTONIC
#define ODD CLOCK_PROCESS_CPUTIME_ID

static pthread_mutex_t *made(int type, int robust, int protocol)
{
    pthread_mutex_t *m = calloc(1, sizeof *m);
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, type);
    pthread_mutexattr_setrobust(&a, robust);
    pthread_mutexattr_setprotocol(&a, protocol);
    if (m && pthread_mutex_init(m, &a) != 0)
        printf("no such mutex\n");
    return m;
}

static void in_thread(void *(*f)(void *), void *arg)
{
    pthread_t t;
    if (pthread_create(&t, NULL, f, arg) || pthread_join(t, NULL))
        exit(1);
}

static void *lock_and_die(void *m)
{
    return pthread_mutex_lock(m) == 0 ? m : NULL;
}

static void *foreign(void *m)
{
    const char *what = "another thread";
    SAY(pthread_mutex_trylock(m));
    SAY(pthread_mutex_timedlock(m, SOON(REAL)));
    SAY(pthread_mutex_timedlock(m, &past));
    SAY(pthread_mutex_timedlock(m, &bad_time));
    SAY(pthread_mutex_clocklock(m, MONO, SOON(MONO)));
    SAY(pthread_mutex_clocklock(m, ODD, SOON(MONO)));
    return NULL;
}

static void *foreign_unlock(void *m)
{
    const char *what = "another thread";
    SAY(pthread_mutex_unlock(m));
    return NULL;
}

static void mutex(const char *what, pthread_mutex_t *m, int relock)
{
    SAY(pthread_mutex_timedlock(m, &bad_time));
    SAY(pthread_mutex_unlock(m));
    SAY(pthread_mutex_clocklock(m, ODD, &past));
    SAY(pthread_mutex_clocklock(m, MONO, &bad_time));
    SAY(pthread_mutex_unlock(m));
    SAY(pthread_mutex_lock(m));
    in_thread(foreign, m);
    SAY(pthread_mutex_trylock(m));
    SAY(pthread_mutex_timedlock(m, SOON(REAL)));
    SAY(pthread_mutex_clocklock(m, MONO, SOON(MONO)));
    if (relock) {
        in_thread(foreign_unlock, m);
        SAY(pthread_mutex_lock(m));
        for (int i = 0; i < 6; i++)
            SAY(pthread_mutex_unlock(m));
    }
}

static void robust(const char *what, int type, int protocol)
{
    pthread_mutex_t *m = made(type, PTHREAD_MUTEX_ROBUST, protocol);
    in_thread(lock_and_die, m);
    SAY(pthread_mutex_lock(m));
    SAY(pthread_mutex_consistent(m));
    SAY(pthread_mutex_unlock(m));
    in_thread(lock_and_die, m);
    SAY(pthread_mutex_timedlock(m, SOON(REAL)));
    SAY(pthread_mutex_consistent(m));
    SAY(pthread_mutex_unlock(m));
    in_thread(lock_and_die, m);
    SAY(pthread_mutex_clocklock(m, MONO, SOON(MONO)));
    SAY(pthread_mutex_unlock(m));
    SAY(pthread_mutex_lock(m));
    SAY(pthread_mutex_timedlock(m, SOON(REAL)));
}

static int waiter;
/* Dies with the mutex while another thread waits for it. */
static void *die_later(void *m)
{
    pthread_mutex_lock(m);
    await_tell(&waiter);
    unsigned long ran;
    while (await_state(getpid(), &ran) != 'S')
        await_a_little();
    return m;
}

static void robust_waited(const char *what)
{
    pthread_mutex_t *m = made(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    pthread_t t;
    if (pthread_create(&t, NULL, die_later, m))
        exit(1);
    while (!__atomic_load_n(&waiter, __ATOMIC_ACQUIRE))
        ;
    SAY(pthread_mutex_lock(m));
    SAY(pthread_join(t, NULL));
    SAY(pthread_mutex_unlock(m));
    SAY(pthread_mutex_lock(m));
}

static void mutexes(void)
{
    static const struct {
        const char *name;
        int type;
    } TYPES[] = {{"normal", PTHREAD_MUTEX_NORMAL},
                 {"check", PTHREAD_MUTEX_ERRORCHECK},
                 {"recursive", PTHREAD_MUTEX_RECURSIVE},
                 {"adaptive", PTHREAD_MUTEX_ADAPTIVE_NP}};
    for (int i = 0; i < 4; i++) {
        int relock =
            TYPES[i].type == PTHREAD_MUTEX_ERRORCHECK || TYPES[i].type == PTHREAD_MUTEX_RECURSIVE;
        mutex(TYPES[i].name, made(TYPES[i].type, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE), relock);
        mutex(TYPES[i].name, made(TYPES[i].type, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT),
              relock);
        mutex(TYPES[i].name, made(TYPES[i].type, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE), relock);
        robust(TYPES[i].name, TYPES[i].type, PTHREAD_PRIO_NONE);
        robust(TYPES[i].name, TYPES[i].type, PTHREAD_PRIO_INHERIT);
    }
    mutex("ceiling", made(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_PROTECT),
          1);
    robust_waited("robust");
}

static void rwlocks(const char *what)
{
    static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    SAY(pthread_rwlock_timedrdlock(&l, &bad_time));
    SAY(pthread_rwlock_timedwrlock(&l, &bad_time));
    SAY(pthread_rwlock_clockrdlock(&l, ODD, &past));
    SAY(pthread_rwlock_clockwrlock(&l, ODD, &past));
    SAY(pthread_rwlock_clockrdlock(&l, MONO, &bad_time));
    SAY(pthread_rwlock_clockwrlock(&l, MONO, &bad_time));
    SAY(pthread_rwlock_clockwrlock(&l, MONO, &past));
    SAY(pthread_rwlock_wrlock(&l));
    SAY(pthread_rwlock_rdlock(&l));
    SAY(pthread_rwlock_timedwrlock(&l, SOON(REAL)));
    SAY(pthread_rwlock_timedrdlock(&l, SOON(REAL)));
    SAY(pthread_rwlock_clockrdlock(&l, MONO, SOON(MONO)));
    SAY(pthread_rwlock_unlock(&l));
    SAY(pthread_rwlock_rdlock(&l));
    SAY(pthread_rwlock_timedrdlock(&l, &past));
    SAY(pthread_rwlock_timedwrlock(&l, SOON(REAL)));
    SAY(pthread_rwlock_timedwrlock(&l, &bad_time));
    SAY(pthread_rwlock_clockwrlock(&l, MONO, SOON(MONO)));
}

static void on_alarm(int n)
{
    (void)n;
}

static void semaphores(const char *what)
{
    sem_t s;
    struct sigaction a = {.sa_handler = on_alarm}; /* no SA_RESTART */
    sem_init(&s, 0, 3);
    SAY(sem_wait(&s));
    SAY(sem_timedwait(&s, &bad_time));
    SAY(sem_clockwait(&s, ODD, &past));
    SAY(sem_clockwait(&s, MONO, &bad_time));
    SAY(sem_timedwait(&s, &past));
    SAY(sem_clockwait(&s, MONO, &past));
    SAY(sem_timedwait(&s, SOON(REAL)));
    SAY(sem_timedwait(&s, &bad_time));
    SAY(sem_clockwait(&s, MONO, SOON(MONO)));
    sigaction(SIGALRM, &a, NULL);
    ualarm(5000, 5000);
    SAY(sem_wait(&s));
    ualarm(0, 0);
    SAY(sem_post(&s));
    sem_init(&s, 0, 0x7fffffff);
    SAY(sem_post(&s));
}

static void conditions(const char *what)
{
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t *m = made(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    SAY(pthread_cond_wait(&c, m));
    SAY(pthread_cond_timedwait(&c, m, SOON(REAL)));
    SAY(pthread_mutex_lock(m));
    SAY(pthread_cond_timedwait(&c, m, SOON(REAL)));
    SAY(pthread_cond_timedwait(&c, m, &bad_time));
    SAY(pthread_cond_clockwait(&c, m, MONO, SOON(MONO)));
    SAY(pthread_cond_clockwait(&c, m, ODD, SOON(MONO)));
    SAY(pthread_cond_signal(&c));
    SAY(pthread_cond_broadcast(&c));
    SAY(pthread_mutex_unlock(m));
}

static int c11_thread(void *arg)
{
    return arg ? 9 : 10;
}

static int c11_exit(void *arg)
{
    thrd_exit(arg ? 11 : 12);
}

static void c11(const char *what)
{
    mtx_t plain, recursive;
    cnd_t c;
    thrd_t t;
    int result = 0;
    mtx_init(&plain, mtx_timed);
    mtx_init(&recursive, mtx_timed | mtx_recursive);
    cnd_init(&c);
    SAY(mtx_lock(&plain));
    SAY(mtx_trylock(&plain));
    SAY(mtx_timedlock(&plain, SOON(REAL)));
    SAY(mtx_timedlock(&plain, &bad_time));
    SAY(cnd_timedwait(&c, &plain, SOON(REAL)));
    SAY(cnd_timedwait(&c, &plain, &bad_time));
    SAY(cnd_signal(&c));
    SAY(cnd_broadcast(&c));
    SAY(mtx_unlock(&plain));
    SAY(mtx_lock(&recursive));
    SAY(mtx_lock(&recursive));
    SAY(mtx_timedlock(&recursive, &past));
    SAY(mtx_unlock(&recursive));
    SAY(thrd_create(&t, c11_thread, &c));
    SAY(thrd_join(t, &result));
    SAY(thrd_create(&t, c11_exit, NULL));
    SAY(thrd_join(t, &result) + 100 * result);
}

static void sets(const char *what)
{
    struct sembuf take = {0, -1, 0}, give = {0, 1, 0}, try = {0, -1, IPC_NOWAIT};
    struct sembuf swap[2] = {{0, 1, 0}, {1, -1, 0}};
    struct timespec short_time = {0, 2000000};
    int set = semget(IPC_PRIVATE, 2, 0600);
    SAY(semop(set, &give, 1));
    SAY(semop(set, &take, 1));
    SAY(semop(set, &try, 1));
    SAY(semtimedop(set, &take, 1, &short_time));
    SAY(semtimedop(set, swap, 2, &short_time));
    SAY(semtimedop(set, &take, 1, &bad_time));
    SAY(semctl(set, 0, GETVAL));
    SAY(semop(set, &take, 0));
    SAY(semop(set, nowhere, 1));
    SAY(semop(set, nowhere, 1000));
    SAY(semtimedop(set, nowhere, 2, &short_time));
    SAY(semctl(set, 0, IPC_RMID));
    SAY(semop(-1, &take, 1));
}

static void polls(const char *what)
{
    int ends[2];
    struct pollfd one = {0, POLLIN, 0};
    SAY(pipe(ends));
    one.fd = ends[0];
    SAY(poll(&one, 1, 2));
    SAY(poll(nowhere, 1, 2));
    SAY(poll(nowhere, 1, -1));
    SAY(poll(nowhere, 1u << 30, 2));
    SAY(close(ends[1]));
    SAY(poll(&one, 1, -1));
}

/* What the call left in the sets and in the time. */
static void say_set(const char *what, int fd, fd_set *set)
{
    printf("%s: %d in the set: %d\n", what, fd, FD_ISSET(fd, set) != 0);
}

static void selects(const char *what)
{
    int ends[2];
    fd_set reads, writes;
    struct timeval time = {0, 2000};
    const struct timespec precise = {0, 2000000};
    SAY(pipe(ends));
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(ends[0], &reads);
    SAY(select(ends[1] + 1, &reads, NULL, NULL, &time));
    say_set(what, ends[0], &reads);
    printf("%s: %ld left\n", what, (long)(time.tv_sec + time.tv_usec));
    FD_SET(ends[0], &reads);
    FD_SET(ends[1], &writes);
    time = (struct timeval){5, 0};
    SAY(select(ends[1] + 1, &reads, &writes, NULL, &time));
    say_set(what, ends[0], &reads);
    say_set(what, ends[1], &writes);
    printf("%s: %ld s left\n", what, (long)time.tv_sec + (time.tv_usec > 0));
    SAY(pselect(ends[1] + 1, &reads, NULL, NULL, &precise, NULL));
    SAY(pselect(ends[1] + 1, &reads, NULL, NULL, &bad_time, NULL));
    SAY(select(ends[1] + 1, nowhere, NULL, NULL, NULL));
    SAY(select(-1, &reads, NULL, NULL, NULL));
    SAY(select(0, NULL, NULL, NULL, &(struct timeval){0, 2000}));
    FD_ZERO(&reads);
    FD_SET(ends[0], &reads);
    SAY(close(ends[0]));
    SAY(select(ends[1] + 1, &reads, NULL, NULL, NULL));
}

static void epolls(const char *what)
{
    int ends[2], set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = 5}}, got = {0};
    const struct timespec precise = {0, 2000000};
    SAY(pipe(ends));
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event));
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event));
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, ends[1], nowhere));
    SAY(epoll_wait(set, &got, 1, 2));
    SAY(epoll_wait(set, &got, 0, 2));
    SAY(epoll_pwait(set, &got, 1, 2, NULL));
    SAY(epoll_pwait2(set, &got, 1, &precise, NULL));
    SAY(epoll_pwait2(set, &got, 1, &bad_time, NULL));
    SAY(epoll_pwait2(set, &got, 1, nowhere, NULL));
    SAY(epoll_wait(ends[0], &got, 1, -1));
    SAY(epoll_wait(-1, &got, 1, 2));
    SAY(close(ends[1]));
    SAY(epoll_wait(set, nowhere, 1, -1));
    SAY(epoll_wait(set, &got, 1, -1));
    SAY((int)got.events + got.data.fd);
    SAY(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL));
}

static void *returns(void *arg)
{
    return arg;
}

static void threads(const char *what)
{
    pthread_t t;
    pthread_attr_t detached;
    void *result = NULL;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    SAY(pthread_join(pthread_self(), NULL));
    SAY(pthread_timedjoin_np(pthread_self(), NULL, &past));
    SAY(pthread_create(&t, NULL, returns, &detached));
    SAY(pthread_join(t, &result) + (result == &detached));
    SAY(pthread_create(&t, NULL, returns, NULL));
    SAY(pthread_timedjoin_np(t, &result, NULL) + (result == NULL));
    SAY(pthread_create(&t, NULL, returns, NULL));
    SAY(pthread_clockjoin_np(t, &result, MONO, NULL));
    waiter = 0;
    SAY(pthread_create(&t, NULL, die_later, made(0, 0, 0)));
    SAY(pthread_timedjoin_np(t, &result, &past));
    SAY(pthread_clockjoin_np(t, &result, ODD, SOON(MONO)));
    SAY(pthread_clockjoin_np(t, &result, MONO, &past));
    SAY(pthread_join(t, NULL));
    SAY(pthread_create(&t, &detached, returns, NULL));
}

int main(void)
{
    mutexes();
    rwlocks("rwlock");
    semaphores("semaphore");
    conditions("condition");
    c11("C11");
    sets("set");
    polls("poll");
    selects("select");
    epolls("epoll");
    threads("thread");
    return 0;
}
