/* behaves.c - what a program does about signals, timers, time-outs, threads and processes, checked by itself: it is the same
 * with experiments and without. `behaves CASE`; in most a thread beside is busy with f, the target, so that all others owe. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno);      \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static volatile int through;
static volatile unsigned long counted;

static double length_ms = 0.3;

static __attribute__((noinline)) void f(void)
{
    work_ms(length_ms);
}

static void *busy(void *unused)
{
    while (!through)
        f();
    return unused;
}

static pthread_t start(void *(*run)(void *), void *arg)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run, arg) == 0);
    return thread;
}

static void finish(pthread_t thread)
{
    CHECK(pthread_join(thread, NULL) == 0);
}

static double now_ms(void)
{
    return work_clock_ms(CLOCK_MONOTONIC);
}

static void locks_for(double ms)
{
    double until = now_ms() + ms;
    while (now_ms() < until) {
        pthread_mutex_lock(&lock);
        work_ms(0.05);
        counted++;
        pthread_mutex_unlock(&lock);
    }
}

static void calls_for(double ms)
{
    double until = now_ms() + ms;
    while (now_ms() < until)
        f();
}

static void on_signal(int number)
{
    (void)number;
    counted++;
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction how = {.sa_handler = handler, .sa_flags = SA_RESTART};
    CHECK(sigaction(number, &how, NULL) == 0);
}

static int is_handled(int number, void (*handler)(int))
{
    struct sigaction how;
    return sigaction(number, NULL, &how) == 0 && how.sa_handler == handler;
}

/* ---- signals and timers ---- */

/* The timer counts the processor's time of the process, by the kernel's ticks. */
static void case_prof(void)
{
    struct itimerval each = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}};
    handle(SIGPROF, on_signal);
    pthread_t thread = start(busy, NULL);
    double from = work_clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(setitimer(ITIMER_PROF, &each, NULL) == 0);
    double until = now_ms() + 600;
    while (now_ms() < until)
        work_ms(0.1);
    double ran = work_clock_ms(CLOCK_PROCESS_CPUTIME_ID) - from;
    CHECK(setitimer(ITIMER_PROF, &off, NULL) == 0);
    CHECK(counted > ran / 20 * 0.6 && counted < ran / 20 * 1.4 + 1);
    CHECK(is_handled(SIGPROF, on_signal));
    through = 1;
    finish(thread);
}

static void case_timer(void)
{
    enum { TIMES = 30, EACH_MS = 10 };
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec each = {{0, EACH_MS * 1000000}, {0, EACH_MS * 1000000}};
    timer_t timer;
    sigset_t set;
    int number, times = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    pthread_t thread = start(busy, NULL);
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    double from = now_ms();
    CHECK(timer_settime(timer, 0, &each, NULL) == 0);
    while (times < TIMES) {
        CHECK(sigwait(&set, &number) == 0 && number == SIGRTMIN);
        times += 1 + timer_getoverrun(timer);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    double took = now_ms() - from;
    CHECK(took > (TIMES - 1) * EACH_MS && took < (TIMES + 5) * EACH_MS + 50);
    CHECK(timer_delete(timer) == 0);
    through = 1;
    finish(thread);
}

/* Those that the kernel sends by itself are none of the program's. */
static void case_trap(void)
{
    enum { TIMES = 5 };
    handle(SIGTRAP, on_signal);
    pthread_t thread = start(busy, NULL);
    for (int i = 0; i < TIMES; i++) {
        raise(SIGTRAP);
        calls_for(40);
    }
    CHECK(counted == TIMES);
    CHECK(is_handled(SIGTRAP, on_signal));
    through = 1;
    finish(thread);
}

/* The handler comes when the kernel has begun to send its own: from the next experiment on none is the program's. */
static void case_trap_late(void)
{
    pthread_t thread = start(busy, NULL);
    calls_for(50);
    handle(SIGTRAP, on_signal);
    calls_for(100);
    unsigned long before = counted;
    raise(SIGTRAP);
    calls_for(100);
    CHECK(counted == before + 1);
    through = 1;
    finish(thread);
}

static void on_alarm(int number)
{
    (void)number;
    SI_BEGIN(2);
    VPROF_PROGRESS("alarm");
    f();
    SI_END(2);
    counted++;
}

/* Whatever is interrupted, the handler may mark an interval and call the target. */
static void case_marks(void)
{
    struct itimerval each = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
    handle(SIGALRM, on_alarm);
    pthread_t thread = start(busy, NULL);
    CHECK(setitimer(ITIMER_REAL, &each, NULL) == 0);
    double until = now_ms() + 500;
    while (now_ms() < until) {
        SI_BEGIN(1);
        f();
        locks_for(0.2);
        SI_END(1);
    }
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
    CHECK(counted > 20);
    through = 1;
    finish(thread);
}

/* ---- time-outs ---- */

static int by_nanosleep(struct timespec time)
{
    return nanosleep(&time, NULL);
}

static int by_clock_nanosleep(struct timespec time)
{
    return clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static int by_usleep(struct timespec time)
{
    return usleep((useconds_t)(time.tv_nsec / 1000));
}

static int pipe_ends[2];

static int by_select(struct timespec time)
{
    struct timeval left = {time.tv_sec, time.tv_nsec / 1000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipe_ends[0], &set);
    return select(pipe_ends[0] + 1, &set, NULL, NULL, &left);
}

static int by_pselect(struct timespec time)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipe_ends[0], &set);
    return pselect(pipe_ends[0] + 1, &set, NULL, NULL, &time, NULL);
}

static int by_poll(struct timespec time)
{
    struct pollfd one = {.fd = pipe_ends[0], .events = POLLIN};
    return poll(&one, 1, (int)(time.tv_nsec / 1000000));
}

static int by_ppoll(struct timespec time)
{
    struct pollfd one = {.fd = pipe_ends[0], .events = POLLIN};
    return ppoll(&one, 1, &time, NULL);
}

static int by_epoll(struct timespec time)
{
    struct epoll_event event = {.events = EPOLLIN};
    int set = epoll_create1(0);
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, pipe_ends[0], &event) == 0);
    int rc = epoll_wait(set, &event, 1, (int)(time.tv_nsec / 1000000));
    close(set);
    return rc;
}

static struct timespec after(clockid_t clock, struct timespec time)
{
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_nsec += time.tv_nsec;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static double ended_ms; /* where the time-out's end is not that of the whole */

/* In front of the release what is owed is waited for. */
static int by_cond(struct timespec time)
{
    struct timespec at = after(CLOCK_REALTIME, time);
    pthread_mutex_lock(&lock);
    int rc = pthread_cond_timedwait(&never, &lock, &at);
    ended_ms = now_ms();
    pthread_mutex_unlock(&lock);
    return rc == ETIMEDOUT ? 0 : -1;
}

static int by_sem(struct timespec time)
{
    struct timespec at = after(CLOCK_REALTIME, time);
    return sem_timedwait(&none, &at) == -1 && errno == ETIMEDOUT ? 0 : -1;
}

static int by_mutex(struct timespec time)
{
    static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    struct timespec at = after(CLOCK_REALTIME, time);
    pthread_mutex_trylock(&held);
    return pthread_mutex_timedlock(&held, &at) == ETIMEDOUT ? 0 : -1;
}

/* None is cut short, and the shortest of some is as long as it should be: what is owed is waited for later, or before what
 * has a time of its own. */
static void case_timeouts(void)
{
    static int (*const calls[])(struct timespec) = {
        by_nanosleep, by_clock_nanosleep, by_usleep, by_select, by_pselect, by_poll,
        by_ppoll,     by_epoll,           by_cond,   by_sem,    by_mutex};
    enum { TIMES = 5 };
    const double asked_ms = 12;
    struct timespec time = {0, (long)(asked_ms * 1e6)};
    CHECK(pipe(pipe_ends) == 0);
    pthread_t thread = start(busy, NULL);
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        double shortest = 1e9;
        for (int i = 0; i < TIMES; i++) {
            double from = now_ms();
            ended_ms = 0;
            CHECK(calls[c](time) == 0);
            double took = (ended_ms > 0 ? ended_ms : now_ms()) - from;
            CHECK(took >= asked_ms - 0.05);
            shortest = took < shortest ? took : shortest;
            locks_for(1);
        }
        if (shortest > asked_ms + 3)
            fprintf(stderr, "the %zu. call took %.2f ms at least\n", c + 1, shortest);
        CHECK(shortest <= asked_ms + 3);
    }
    through = 1;
    finish(thread);
}

/* ---- threads ---- */

static void *one_of_many(void *unused)
{
    struct timespec time = {0, 20000000};
    f();
    nanosleep(&time, NULL);
    pthread_mutex_lock(&lock);
    counted++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void case_threads(void)
{
    enum { THREADS = 1000 };
    static pthread_t threads[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 << 10);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], &small, one_of_many, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        finish(threads[i]);
    CHECK(counted == THREADS);
}

static void unlock(void *held)
{
    pthread_mutex_unlock(held);
    counted++;
}

static void *wait_for_ever(void *how)
{
    struct timespec time = {1000, 0};
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    if (how)
        pthread_cond_wait(&never, &lock);
    else
        nanosleep(&time, NULL);
    pthread_cleanup_pop(1);
    return how;
}

static void *wait_for_none(void *unused)
{
    sem_wait(&none);
    return unused;
}

static void case_cancel(void)
{
    void *(*const runs[])(void *) = {wait_for_none, wait_for_ever, wait_for_ever};
    struct timespec time = {0, 20000000};
    void *result;
    pthread_t thread = start(busy, NULL);
    for (int i = 0; i < 9; i++) {
        pthread_t one = start(runs[i % 3], i % 3 == 1 ? &never : NULL);
        nanosleep(&time, NULL);
        CHECK(pthread_cancel(one) == 0);
        CHECK(pthread_join(one, &result) == 0 && result == PTHREAD_CANCELED);
        CHECK(pthread_mutex_lock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
    }
    CHECK(counted == 6);
    through = 1;
    finish(thread);
}

/* ---- processes ---- */

static void end_of(pid_t child, int status_wanted)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == status_wanted);
}

/* Only the child calls the target; or only the parent does. */
static void fork_once(int child_calls)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if ((child == 0) == child_calls)
        calls_for(300);
    else
        locks_for(300);
    if (child == 0)
        exit(7);
    end_of(child, 7);
}

static void case_fork_calls(void)
{
    fork_once(1);
}

static void case_fork_pays(void)
{
    fork_once(0);
}

static void case_exec(void)
{
    pthread_t thread = start(busy, NULL);
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0 && i % 2)
            execl("/proc/self/exe", "behaves", "nothing", (char *)NULL);
        else if (child == 0)
            execlp("sh", "sh", "-c", "exit 0", (char *)NULL);
        end_of(child, 0);
    }
    through = 1;
    finish(thread);
}

static void case_nothing(void)
{
    calls_for(20);
    locks_for(20);
}

static void *ends_all(void *unused)
{
    locks_for(100);
    exit(3);
    return unused;
}

static void case_exit(void)
{
    start(busy, NULL);
    start(ends_all, NULL);
    while (1)
        locks_for(10);
}

/* Who was refused a lock does not wait for it, and what it does then is as late as all else. */
static void case_refused(void)
{
    pthread_mutexattr_t kind;
    pthread_mutex_t own;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&own, &kind);
    pthread_t thread = start(busy, NULL);
    CHECK(pthread_mutex_lock(&own) == 0 && pthread_mutex_lock(&own) == EDEADLK);
    work_ms(300);
    CHECK(pthread_mutex_unlock(&own) == 0);
    through = 1;
    finish(thread);
}

static void case_abort(void)
{
    start(busy, NULL);
    locks_for(200);
    abort();
}

/* ---- short waits ---- */

static int questions[2], answers[2];

static void *answer(void *unused)
{
    char byte;
    while (read(questions[0], &byte, 1) == 1) {
        work_ms(0.025);
        CHECK(write(answers[1], &byte, 1) == 1);
    }
    return unused;
}

/* Between two calls the thread waits for some 30 us, in which another one has its processor: f's time is not shorter by
 * them. */
static void case_asks(void)
{
    char byte = 0;
    cpu_set_t one;
    CHECK(sched_getaffinity(0, sizeof one, &one) == 0);
    for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++) {
        if (found)
            CPU_CLR(cpu, &one);
        found = found || CPU_ISSET(cpu, &one);
    }
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(pipe(questions) == 0 && pipe(answers) == 0);
    pthread_t thread = start(answer, NULL);
    length_ms = 0.1;
    for (int i = 0; i < 2000; i++) {
        f();
        CHECK(write(questions[1], &byte, 1) == 1 && read(answers[0], &byte, 1) == 1);
    }
    close(questions[1]);
    finish(thread);
}

/* ---- long calls that do not wait ---- */

static int connection[2];

static void connect_to_myself(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    connection[0] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(connection[0], (struct sockaddr *)&address, length) == 0);
    connection[1] = accept(listener, NULL, NULL);
    CHECK(connection[1] >= 0);
}

/* A thread that is busy in the kernel owes as one that is so anywhere else. */
static void case_sends(void)
{
    static char text[65536];
    connect_to_myself();
    pthread_t thread = start(busy, NULL);
    for (double until = now_ms() + 400; now_ms() < until;) {
        CHECK(write(connection[0], text, sizeof text) == sizeof text);
        for (size_t got = 0; got < sizeof text;) {
            ssize_t more = read(connection[1], text, sizeof text - got);
            CHECK(more > 0);
            got += (size_t)more;
        }
    }
    through = 1;
    finish(thread);
}

/* ---- libraries and descriptors ---- */

/* The module's own function is a target, too. */
static void case_dlopen(void)
{
    for (int i = 0; i < 3; i++) {
        locks_for(20);
        void *module = dlopen("./module.so", RTLD_NOW);
        CHECK(module);
        void (*call)(void);
        *(void **)(void *)&call = dlsym(module, "module_call");
        CHECK(call);
        for (int k = 0; k < 50; k++)
            call();
        CHECK(dlclose(module) == 0);
    }
}

/* The program has the numbers that it has by itself, and as many. */
static void case_files(void)
{
    enum { FILES = 16 };
    struct rlimit most = {FILES, FILES};
    pthread_t thread = start(busy, NULL);
    CHECK(setrlimit(RLIMIT_NOFILE, &most) == 0);
    for (int fd = 3; fd < FILES; fd++)
        CHECK(open("/dev/null", O_RDONLY) == fd);
    CHECK(open("/dev/null", O_RDONLY) == -1 && errno == EMFILE);
    locks_for(100);
    fork_once(1);
    through = 1;
    finish(thread);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        {"prof", case_prof},           {"timer", case_timer},     {"trap", case_trap},
        {"trap_late", case_trap_late}, {"marks", case_marks},     {"timeouts", case_timeouts},
        {"threads", case_threads},     {"cancel", case_cancel},   {"fork_calls", case_fork_calls},
        {"fork_pays", case_fork_pays}, {"exec", case_exec},       {"nothing", case_nothing},
        {"exit", case_exit},           {"abort", case_abort},     {"dlopen", case_dlopen},
        {"files", case_files},         {"refused", case_refused}, {"asks", case_asks},
        {"sends", case_sends}};
    work_start(argc, argv);
    sem_init(&none, 0, 0);
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    return 2;
}
