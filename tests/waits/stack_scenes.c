/* A program of which is known where it waits and for which lock.
 *
 *     first    compact: holds table_lock during flush_page, 3 ms; then rests 1 ms
 *     worker   serve: wants table_lock; then naps
 *     burner   runs: three quarters of what it does in crunch, the rest in fold
 *
 * With "roles": two processes of one name, in write_log and in serve_client.
 * With another argument: first runs crunch, and spinner waits for it in spin_until without telling anybody.
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define RELAX __builtin_ia32_pause()
#elif defined(__aarch64__)
#define RELAX __asm__ volatile("yield")
#else
#define RELAX (void)0
#endif
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

enum { ROUNDS = 250, WORKERS = 2, WORK = 100000 };

pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ended;
static volatile int flushes,
    rests; /* counted behind a call, which is then not a function's last thing */

KEPT static void nap(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

KEPT static void flush_page(void)
{
    nap(3000);
    flushes++;
}

KEPT static void rest(void)
{
    nap(1000);
    rests++;
}

KEPT static void compact(void)
{
    pthread_mutex_lock(&table_lock);
    flush_page();
    pthread_mutex_unlock(&table_lock);
    rest();
}

KEPT static void serve(void)
{
    pthread_mutex_lock(&table_lock);
    pthread_mutex_unlock(&table_lock);
    nap(200);
}

static void *work(void *unused)
{
    pthread_setname_np(pthread_self(), "worker");
    while (!ended)
        serve();
    return unused;
}

static volatile unsigned long sum;

KEPT static void crunch(void)
{
    for (unsigned long i = 0; i < 3 * WORK; i++)
        sum += i;
}

KEPT static void fold(void)
{
    for (unsigned long i = 0; i < WORK; i++)
        sum += i;
}

static void *burn(void *unused)
{
    pthread_setname_np(pthread_self(), "burner");
    while (!ended) {
        crunch();
        fold();
    }
    return unused;
}

static volatile int turn;

KEPT static void spin_until(int wanted)
{
    while (turn < wanted && !ended)
        RELAX;
}

static void *spin(void *unused)
{
    pthread_setname_np(pthread_self(), "spinner");
    for (int wanted = 1; !ended; wanted++)
        spin_until(wanted);
    return unused;
}

static int spin_scene(void)
{
    pthread_t spinner;
    pthread_setname_np(pthread_self(), "first");
    pthread_create(&spinner, NULL, spin, NULL);
    for (int i = 0; i < 600; i++) {
        crunch();
        turn++;
        nap(100);
    }
    ended = 1;
    return pthread_join(spinner, NULL);
}

KEPT static void write_log(void)
{
    for (int i = 0; i < ROUNDS; i++)
        flush_page();
}

KEPT static void serve_client(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        flush_page();
        rest();
    }
}

KEPT static pid_t begin(void (*role)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        role();
        _exit(0);
    }
    return pid;
}

static int role_scene(void)
{
    pid_t writer = begin(write_log), server = begin(serve_client);
    return waitpid(writer, NULL, 0) != writer || waitpid(server, NULL, 0) != server;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "roles") == 0)
        return role_scene();
    if (argc > 1 && argv[1][0])
        return spin_scene();
    pthread_t workers[WORKERS], burner;
    pthread_setname_np(pthread_self(), "first");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    pthread_create(&burner, NULL, burn, NULL);
    for (int i = 0; i < ROUNDS; i++)
        compact();
    ended = 1;
    pthread_join(burner, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return flushes != ROUNDS || rests != ROUNDS;
}
