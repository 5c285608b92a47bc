/* several.c - one call lets several go on, or one goes on after several calls, or none. Prints for
 * each waiter the case, its thread and the thread that let it go on, or "-". */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "helper.h"

/* ---- what they do ---- */

static char two[2];

static int read_one(int fd)
{
    char byte;
    return read(fd, &byte, 1) == 1;
}

static int read_end(int fd)
{
    char byte;
    return read(fd, &byte, 1) == 0;
}

static int write_two(int fd)
{
    return write(fd, two, 2) == 2;
}

static int write_one(int fd)
{
    return write(fd, two, 1) == 1;
}

static int write_none(int fd)
{
    return write(fd, two, 0) == 0;
}

static int close_it(int fd)
{
    return close(fd) == 0;
}

static int shut(int fd)
{
    return shutdown(fd, SHUT_WR) == 0;
}

static int poll_it(int fd)
{
    struct pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, 100000) == 1;
}

static int poll_in_vain(int fd)
{
    struct pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, 50) == 0;
}

static int event_take(int fd)
{
    eventfd_t n;
    return eventfd_read(fd, &n) == 0;
}

/* Into parts, which tell nothing of a number. */
static int event_take_parts(int fd)
{
    eventfd_t n;
    struct iovec part = {&n, sizeof n};
    return readv(fd, &part, 1) == sizeof n;
}

static int event_add_parts(int fd)
{
    eventfd_t n = 1;
    struct iovec part = {&n, sizeof n};
    void *volatile nowhere = NULL;
    return write(fd, nowhere, 8) == -1 && errno == EFAULT && writev(fd, &part, 1) == sizeof n;
}

static int event_add_two(int fd)
{
    return eventfd_write(fd, 2) == 0;
}

static int operate(int set, unsigned short number, int amount)
{
    struct sembuf operation = {number, (short)amount, 0};
    return semop(set, &operation, 1) == 0;
}

static int set_add_one(int set)
{
    return operate(set, 0, 1);
}

static int set_add_two(int set)
{
    return operate(set, 0, 2);
}

static int set_take_one(int set)
{
    return operate(set, 0, -1);
}

static int set_take_three(int set)
{
    return operate(set, 0, -3);
}

static int set_take_both(int set)
{
    struct sembuf operations[] = {{0, -1, 0}, {1, -1, 0}};
    return semop(set, operations, 2) == 0;
}

static int set_add_other(int set)
{
    return operate(set, 1, 1);
}

static int set_await_zero(int set)
{
    return operate(set, 0, 0);
}

static unsigned words[2];

static long futex(int i, int operation, unsigned value, const struct timespec *timeout, int moved)
{
    return syscall(SYS_futex, &words[i], operation, value, moved ? (void *)1ul : timeout, &words[1],
                   0);
}

static int word_sleep(int i)
{
    return futex(i, FUTEX_WAIT, 0, NULL, 0) == 0;
}

static int word_sleep_a_little(int i)
{
    const struct timespec little = {0, 50000000};
    return futex(i, FUTEX_WAIT, 0, &little, 0) == -1 && errno == ETIMEDOUT;
}

static int word_wake_two(int i)
{
    return futex(i, FUTEX_WAKE, 2, NULL, 0) == 2;
}

/* Linux wakes one. */
static int word_wake_none(int i)
{
    return futex(i, FUTEX_WAKE, 0, NULL, 0) == 1;
}

static int word_wake_all(int i)
{
    return futex(i, FUTEX_WAKE, 1000, NULL, 0) == 1;
}

static int word_wake_and_move(int i)
{
    return futex(i, FUTEX_CMP_REQUEUE, 1, NULL, 1) == 2;
}

static sem_t semaphore;

static int take(int unused)
{
    (void)unused;
    return sem_wait(&semaphore) == 0;
}

static int post(int unused)
{
    (void)unused;
    return sem_post(&semaphore) == 0;
}

static int post_and_take(int unused)
{
    return post(unused) && take(unused);
}

static int event_add_one(int fd)
{
    return eventfd_write(fd, 1) == 0;
}

static int event_add_and_take(int fd)
{
    return event_add_one(fd) && event_take(fd);
}

#define LARGE (64 << 10)

static int read_large(int fd)
{
    char bytes[LARGE];
    long size = 0;
    for (long n; size < LARGE && (n = read(fd, bytes, sizeof bytes)) > 0;)
        size += n;
    return size == LARGE;
}

static int write_large(int fd)
{
    char bytes[LARGE] = {0};
    return write(fd, bytes, sizeof bytes) == sizeof bytes;
}

/* The pipe holds 65536 bytes, and the reader goes away. */
static int write_too_much(int fd)
{
    static char bytes[3 * LARGE];
    return write(fd, bytes, sizeof bytes) == LARGE;
}

static int receive_none(int fd)
{
    char byte;
    return recv(fd, &byte, 1, 0) == 0;
}

static int send_none(int fd)
{
    return send(fd, two, 0, 0) == 0;
}

static int shut_own(int fd)
{
    return shutdown(fd, SHUT_RDWR) == 0;
}

static int set_take_one_twice(int set)
{
    struct sembuf operations[] = {{0, -1, 0}, {0, -1, 0}};
    return semop(set, operations, 2) == 0;
}

static int set_try_in_vain(int set)
{
    struct sembuf operations[] = {{0, -1, IPC_NOWAIT}, {1, 1, IPC_NOWAIT}};
    return semop(set, operations, 2) == -1 && errno == EAGAIN;
}

static int set_take_other(int set)
{
    return operate(set, 1, -1);
}

static int set_find_removed(int set)
{
    return operate(set, 0, -1) == 0 && errno == EIDRM;
}

/* ---- the cases ---- */

static void one_write_for_two(void)
{
    int fds[2];
    CHECK(pipe(fds) == 0);
    struct helper *a = start_waiter(read_one, fds[0]), *b = start_waiter(read_one, fds[0]);
    int waker = let(write_two, fds[1]);
    gone("bytes", a, waker), gone("bytes", b, waker);
    a = start_waiter(poll_it, fds[0]), b = start_waiter(poll_it, fds[0]);
    waker = let(write_one, fds[1]);
    gone("poll", a, waker), gone("poll", b, waker);
    int event = eventfd(0, EFD_SEMAPHORE);
    CHECK(event >= 0);
    a = start_waiter(event_take, event), b = start_waiter(event_take, event);
    waker = let(event_add_two, event);
    gone("event", a, waker), gone("event", b, waker);
    a = start_waiter(event_take_parts, event);
    gone("parts", a, let(event_add_parts, event));
}

/* Closes of copies, and writes of nothing, before the one that counts. */
static void no_wake_up(void)
{
    int fds[2], pair[2], copies[2];
    CHECK(pipe(fds) == 0);
    for (int end = 0; end < 2; end++) {
        struct helper *a = start_waiter(end ? read_end : read_one, fds[0]);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            exit(close(fds[1]));
        CHECK(waitpid(child, NULL, 0) == child);
        let(write_none, fds[1]);
        gone(end ? "end" : "copy", a, let(end ? close_it : write_one, fds[1]));
    }
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 &&
          socketpair(AF_UNIX, SOCK_STREAM, 0, copies) == 0);
    struct helper *b = start_waiter(read_end, pair[0]);
    gone("shutdown", b, let(shut, pair[1]));
    b = start_waiter(poll_it, copies[0]);
    gone("poll_end", b, let(close_it, copies[1]));
    b = start_waiter(poll_in_vain, pair[1]);
    gone("poll_in_vain", b, 0);
}

static void system_v(void)
{
    int set = semget(IPC_PRIVATE, 2, 0600);
    CHECK(set >= 0 && semop(set, NULL, 1) == -1 && errno == EFAULT);
    struct helper *a = start_waiter(set_take_three, set);
    let(set_add_one, set);
    gone("amount", a, let(set_add_two, set));
    a = start_waiter(set_take_one, set);
    struct helper *b = start_waiter(set_take_one, set);
    int waker = let(set_add_two, set);
    gone("two", a, waker), gone("two", b, waker);
    let(set_add_one, set);
    a = start_waiter(set_take_both, set);
    gone("other", a, let(set_add_other, set));
    let(set_add_one, set);
    a = start_waiter(set_await_zero, set);
    gone("zero", a, let(set_take_one, set));
    let(set_add_one, set);
    a = start_waiter(set_take_one_twice, set);
    gone("twice", a, let(set_add_one, set));
    a = start_waiter(set_take_other, set);
    let(set_try_in_vain, set);
    gone("tried", a, let(set_add_other, set));
    a = start_waiter(set_find_removed, set);
    CHECK(semctl(set, 0, IPC_RMID) == 0);
    gone("removed", a, 0);
}

static void amounts(void)
{
    int fds[2], pair[2], own[2];
    CHECK(pipe(fds) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 &&
          socketpair(AF_UNIX, SOCK_STREAM, 0, own) == 0);
    struct helper *a = start_waiter(read_large, fds[0]), *b;
    gone("large", a, let(write_large, fds[1]));
    a = start_waiter(write_too_much, fds[1]);
    gone("partly", a, let(close_it, fds[0]));
    a = start_waiter(receive_none, pair[0]);
    gone("no_bytes", a, let(send_none, pair[1]));
    a = start_waiter(read_one, pair[0]), b = start_waiter(read_one, pair[0]);
    int waker = let(write_two, pair[1]);
    while (!is_done(a) && !is_done(b))
        await_a_little();
    struct helper *first = is_done(a) ? a : b, *second = is_done(a) ? b : a;
    gone("message", first, waker);
    gone("message", second, let(write_two, pair[1]));
    a = start_waiter(read_end, own[0]);
    gone("own_end", a, let(shut_own, own[0]));
}

/* Who was moved to another word is woken there, which tells nothing of where it waited. */
static void words_of_futexes(void)
{
    struct helper *a = start_waiter(word_sleep, 0), *b = start_waiter(word_sleep, 0);
    struct helper *c = start_waiter(word_sleep, 0);
    int waker = let(word_wake_two, 0);
    gone("woken", a, waker), gone("woken", b, waker);
    gone("woken_last", c, let(word_wake_all, 0));
    a = start_waiter(word_sleep, 0);
    gone("woken_by_none", a, let(word_wake_none, 0));
    a = start_waiter(word_sleep_a_little, 0);
    gone("slept", a, 0);
    a = start_waiter(word_sleep, 0), b = start_waiter(word_sleep, 0);
    gone("not_moved", a, let(word_wake_and_move, 0));
    let(word_wake_all, 1);
    gone("moved", b, 0);
}

/* Its owner died, and who has it next does not repair it: who waits then has waited for that one.
 */
static pthread_mutex_t robust;
static struct helper *sleeper;
static int owned;

static int lock_and_die(int unused)
{
    (void)unused;
    return pthread_mutex_lock(&robust) == 0;
}

static int own_and_unlock(int unused)
{
    (void)unused;
    if (pthread_mutex_lock(&robust) != EOWNERDEAD)
        return 0;
    __atomic_store_n(&owned, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&sleeper, __ATOMIC_ACQUIRE))
        await_a_little();
    await_sleep(&sleeper->tid);
    return pthread_mutex_unlock(&robust) == 0;
}

static int find_lost(int unused)
{
    (void)unused;
    return pthread_mutex_lock(&robust) == ENOTRECOVERABLE;
}

static void not_recoverable(void)
{
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0 &&
          pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
          pthread_mutex_init(&robust, &attributes) == 0);
    let(lock_and_die, 0);
    struct helper *owner = start(own_and_unlock, 0);
    while (!__atomic_load_n(&owned, __ATOMIC_ACQUIRE))
        await_a_little();
    struct helper *waiter = start(find_lost, 0);
    __atomic_store_n(&sleeper, waiter, __ATOMIC_RELEASE);
    int waker = finish(owner);
    gone("not_recoverable", waiter, waker);
}

/* Who gives is mostly the first to take it himself. Else the waiter had it: once more. */
static void stolen(const char *name, int (*wait)(int), int (*give)(int), int (*give_and_take)(int),
                   int object)
{
    for (bool had = true; had;) {
        struct helper *waiter = start_waiter(wait, object), *thief = start(give_and_take, object);
        while (!is_done(thief) && !is_done(waiter))
            await_a_little();
        if (!is_done(waiter))
            await_sleep(&waiter->tid);
        had = is_done(waiter);
        int waker = let(give, object);
        finish(thief);
        if (had)
            finish(waiter);
        else
            gone(name, waiter, waker);
    }
}

int main(void)
{
    int event = eventfd(0, EFD_SEMAPHORE);
    CHECK(sem_init(&semaphore, 0, 0) == 0 && event >= 0 && signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    one_write_for_two();
    no_wake_up();
    system_v();
    amounts();
    words_of_futexes();
    not_recoverable();
    stolen("semaphore", take, post, post_and_take, 0);
    stolen("event", event_take, event_add_one, event_add_and_take, event);
    return 0;
}
