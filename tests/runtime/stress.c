/* stress.c COUNTS MODULE MILLISECONDS SEED - everything at once: threads that call and lock, timers
 * whose handlers record, a module that is loaded and unloaded, threads that are cancelled, and
 * children that do the same and end in different ways.
 *
 * A timed call and a handler's task are counted when they are recorded, in COUNTS, by process.
 */
#include "target.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

/* AddressSanitizer's list of threads may be locked for ever in a child, and so may be
 * ThreadSanitizer's allocator. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CHILD_WORKERS = 0 };
#else
enum { CHILD_WORKERS = 3 };
#endif
enum { WORKERS = 3, CHILDREN = 4 };

/* Of one process; the first is the program itself. */
struct slot {
    unsigned long calls;
    unsigned long tasks;
    unsigned long clean;   /* it ended by exit, when its threads had ended */
    unsigned long threads; /* the most that it had at once */
};

static struct slot *slots, *mine;
static unsigned long slot_count;
static pid_t my_pid;
static int stop;
static unsigned seed;
static int ring[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem, never;
/* exit in a child would wait for ever for the lock in which another thread was unloading. */
static pthread_mutex_t unloading = PTHREAD_MUTEX_INITIALIZER;

static void count(unsigned long *number)
{
    __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

static void count_call(const int *unused)
{
    (void)unused;
    count(&mine->calls);
}

/* Clean-ups run backwards: the call is counted when its record is written. */
#define TIMED(n)                                                                                   \
    __attribute__((cleanup(count_call), unused)) int counted = 0;                                  \
    VPROF_FUNCTION(n)

static int stopped(void)
{
    return __atomic_load_n(&stop, __ATOMIC_ACQUIRE);
}

static unsigned random_below(unsigned *state, unsigned bound)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % bound;
}

static void leaf(void)
{
    TIMED(2)
}

/* In a child whose fork has not returned yet, `mine` is the parent's. glibc's waits can be
 * cancelled at any moment: so could a handler that interrupts one, between a call's counter and its
 * probe. */
static void handler(int n)
{
    int error = errno, cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (getpid() == my_pid) {
        TIMED(5)
        leaf();
        VPROF_ENQUEUE(mine - slots, n);
        count(&mine->tasks);
    }
    pthread_setcancelstate(cancel, NULL);
    errno = error;
}

static void lock_and_wait(unsigned *state)
{
    TIMED(3)
    VPROF_SYNC1(11, mutex_lock, pthread_mutex_lock, &mutex);
    leaf();
    if (random_below(state, 4) == 0) {
        struct timespec until = after_us(500);
        VPROF_SYNC3(12, cond_timedwait, pthread_cond_timedwait, &cond, &mutex, &until);
    }
    VPROF_SYNC1(13, mutex_unlock, pthread_mutex_unlock, &mutex);
    VPROF_SYNC1(14, cond_signal, pthread_cond_signal, &cond);
}

static void pass_on(void)
{
    TIMED(4)
    struct timespec until = after_us(300);
    VPROF_SYNC1(15, sem_post, sem_post, &sem);
    leaf();
    VPROF_SYNC2(16, sem_timedwait, sem_timedwait, &sem, &until);
}

/* AddressSanitizer takes what a handler does in a thread that it has not set up yet for a fault. */
static void signals(int how)
{
#ifdef __SANITIZE_ADDRESS__
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGALRM);
    sigaddset(&both, SIGUSR1);
    CHECK(pthread_sigmask(how, &both, NULL) == 0);
#else
    (void)how;
#endif
}

static void make_ring(void)
{
    CHECK(VPROF_SYNC1(21, fd_pipe, pipe, ring) == 0);
}

/* Nobody reads before it wrote: no read waits for ever. */
static void pass_byte(unsigned *state)
{
    TIMED(8)
    char byte = 0;
    struct pollfd set = {ring[0], POLLIN, 0};
    if (random_below(state, 4) == 0)
        VPROF_SYNC3(22, fd_poll, poll, &set, 1, 1);
    CHECK(VPROF_SYNC3(23, fd_write, write, ring[1], &byte, 1) == 1);
    CHECK(VPROF_SYNC3(24, fd_read, read, ring[0], &byte, 1) == 1);
}

static void *work(void *arg)
{
    signals(SIG_UNBLOCK);
    unsigned state = seed + (unsigned)(unsigned long)arg;
    while (!stopped()) {
        TIMED(6)
        for (unsigned i = random_below(&state, 10); i > 0; i--)
            leaf();
        lock_and_wait(&state);
        pass_on();
        pass_byte(&state);
        sleep_us(random_below(&state, 1500));
    }
    return NULL;
}

static void start(pthread_t *thread, void *(*routine)(void *), void *arg)
{
    signals(SIG_BLOCK);
    CHECK(VPROF_SYNC4(17, thread_create, pthread_create, thread, NULL, routine, arg) == 0);
    signals(SIG_UNBLOCK);
}

static void join(pthread_t thread)
{
    CHECK(VPROF_SYNC2(18, thread_join, pthread_join, thread, NULL) == 0);
}

/* Ended in the middle of calls, wherever it waits. ThreadSanitizer sees no synchronization any more
 * in a thread that is cancelled within one of its own wrappers. */
static void *victim(void *arg)
{
    TIMED(7)
    signals(SIG_UNBLOCK);
    for (;;) {
        leaf();
#ifdef __SANITIZE_THREAD__
        for (volatile int i = 0; i < 10000; i++) /* a trace that can be read, too */
            ;
        pthread_testcancel();
#else
        VPROF_SYNC1(19, sem_wait, sem_wait, &never);
#endif
    }
    return arg;
}

static void *cancel(void *arg)
{
    signals(SIG_UNBLOCK);
    unsigned state = seed + 77;
    while (!stopped()) {
        pthread_t thread;
        start(&thread, victim, arg);
        sleep_us(random_below(&state, 3000));
        CHECK(pthread_cancel(thread) == 0);
        join(thread);
    }
    return NULL;
}

static void *load(void *path)
{
    signals(SIG_UNBLOCK);
    unsigned state = seed + 99;
    while (!stopped()) {
        int (*module_work)(int);
        void *module = dlopen(path, RTLD_NOW);
        CHECK(module);
        *(void **)&module_work = dlsym(module, "module_work");
        for (int i = 0; i < 20; i++)
            CHECK(module_work(i) == i + 1);
        sleep_us(random_below(&state, 2000));
        pthread_mutex_lock(&unloading);
        CHECK(dlclose(module) == 0);
        pthread_mutex_unlock(&unloading);
    }
    return NULL;
}

static void timers(int on)
{
    static timer_t timer;
    struct itimerval every = {{0, on ? 1100 : 0}, {0, on ? 1100 : 0}};
    struct itimerspec fast = {{0, 700000}, {0, 700000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    if (!on)
        CHECK(timer_delete(timer) == 0);
    else if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &fast, NULL);
}

/* exit or _exit with all threads ended or while they run; the last is killed by its parent. */
static void child(struct slot *slot, unsigned way)
{
    unsigned state = seed + way;
    pthread_t thread[CHILD_WORKERS + 1];
    mine = slot;
    my_pid = getpid();
    for (int end = 0; end < 2; end++)
        CHECK(VPROF_SYNC1(25, fd_close, close, ring[end]) == 0);
    make_ring();
    sem_init(&sem, 0, 0);
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    mine->threads = CHILD_WORKERS + 1;
    VPROF_ENQUEUE(mine - slots, 0);
    count(&mine->tasks);
    timers(1);
    for (long i = 0; i < CHILD_WORKERS; i++)
        start(&thread[i], work, (void *)i);
    sleep_us(random_below(&state, 40000));
    while (way == 3) {
        leaf();
        sleep_us(100);
    }
    if (way >= 1)
        way == 1 ? _exit(0) : exit(0);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < CHILD_WORKERS; i++)
        join(thread[i]);
    timers(0);
    mine->clean = 1;
    exit(0);
}

static void fork_child(unsigned *state, unsigned long number)
{
    unsigned way = random_below(state, 4);
    pthread_mutex_lock(&unloading);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        child(&slots[number], way);
    pthread_mutex_unlock(&unloading);
    leaf();
    if (way == 3) {
        sleep_us(random_below(state, 60000));
        kill(pid, SIGKILL);
    }
}

static void fork_for(long ms)
{
    unsigned state = seed;
    unsigned long number = 1;
    struct timespec now, begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        if (number > CHILDREN)
            while (wait(NULL) < 0 && errno == EINTR)
                ;
        fork_child(&state, number++);
        sleep_us(random_below(&state, 20000));
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms &&
             number < slot_count);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
}

static void map_slots(const char *path)
{
    struct stat s;
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && fstat(fd, &s) == 0);
    slot_count = (unsigned long)s.st_size / sizeof *slots;
    slots = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(slots != MAP_FAILED && close(fd) == 0);
}

int main(int argc, char **argv)
{
    pthread_t thread[WORKERS + 2];
    CHECK(argc == 5);
    map_slots(argv[1]);
    mine = slots;
    my_pid = getpid();
    seed = (unsigned)atoi(argv[4]);
    sem_init(&sem, 0, 0);
    sem_init(&never, 0, 0);
    make_ring();
    mine->threads = WORKERS + 4;
    VPROF_ENQUEUE(0, 0);
    count(&mine->tasks);
    timers(1);
    for (long i = 0; i < WORKERS; i++)
        start(&thread[i], work, (void *)i);
    start(&thread[WORKERS], cancel, NULL);
    start(&thread[WORKERS + 1], load, argv[2]);
    fork_for(atol(argv[3]));
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < WORKERS + 2; i++)
        join(thread[i]);
    timers(0);
    mine->clean = 1;
    return 0;
}
