/* c11_primitives.c - two threads, a 10 ms and b 9 ms, meet by what "--by" says: a faster gains 10 % at the most, b nothing,
 * and the curve is the same whether they meet by 0 mutex and condition variable, 1 semaphores, 2 barrier, 3 futex, 4 pipes,
 * 5 eventfds, 6 a join of b's thread each time, or 7 a barrier in memory that b's process shares. */
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "work.h"

enum { A, B, SIDES };

struct meeting {
    void (*start)(void);
    void (*meet)(int side);
};

static double left_a, left_b;
static const struct meeting *by;

static __attribute__((noinline)) void a(void)
{
    work_ms(10 * left_a);
}

static __attribute__((noinline)) void b(void)
{
    work_ms(9 * left_b);
}

/* ---- mutex and condition variable ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned rounds[SIDES];

static void start_nothing(void)
{
}

static void meet_cond(int side)
{
    pthread_mutex_lock(&lock);
    unsigned round = ++rounds[side];
    pthread_cond_signal(&changed);
    while ((int)(rounds[!side] - round) < 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

/* ---- semaphores ---- */

static sem_t arrived[SIDES];

static void start_sem(void)
{
    sem_init(&arrived[A], 0, 0);
    sem_init(&arrived[B], 0, 0);
}

static void meet_sem(int side)
{
    sem_post(&arrived[side]);
    sem_wait(&arrived[!side]);
}

/* ---- barrier, of one process or of two ---- */

static pthread_barrier_t *barrier;

static void start_barrier(void)
{
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    barrier =
        mmap(NULL, sizeof *barrier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrier_init(barrier, &shared, 2);
}

static void meet_barrier(int side)
{
    (void)side;
    pthread_barrier_wait(barrier);
}

/* ---- futex ---- */

static void meet_futex(int side)
{
    unsigned round = __atomic_add_fetch(&rounds[side], 1, __ATOMIC_SEQ_CST), other;
    syscall(SYS_futex, &rounds[side], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    while ((int)((other = __atomic_load_n(&rounds[!side], __ATOMIC_SEQ_CST)) - round) < 0)
        syscall(SYS_futex, &rounds[!side], FUTEX_WAIT_PRIVATE, other, NULL, NULL, 0);
}

/* ---- pipes and eventfds ---- */

static int read_ends[SIDES], write_ends[SIDES];

static void start_pipes(void)
{
    for (int side = 0; side < SIDES; side++) {
        int ends[2];
        if (pipe(ends) != 0)
            exit(1);
        read_ends[side] = ends[0];
        write_ends[side] = ends[1];
    }
}

static void start_eventfds(void)
{
    for (int side = 0; side < SIDES; side++)
        read_ends[side] = write_ends[side] = eventfd(0, 0);
}

static void meet_channel(int side)
{
    uint64_t one = 1;
    if (write(write_ends[side], &one, sizeof one) != sizeof one ||
        read(read_ends[!side], &one, sizeof one) != sizeof one)
        exit(1);
}

/* ---- the two sides ---- */

static void *all_of_b(void *unused)
{
    while (1) {
        b();
        by->meet(B);
    }
    return unused;
}

static void *one_of_b(void *unused)
{
    b();
    return unused;
}

static void run_joining(void)
{
    pthread_t thread;
    while (work_goes_on()) {
        pthread_create(&thread, NULL, one_of_b, NULL);
        a();
        pthread_join(thread, NULL);
        VPROF_PROGRESS("round");
    }
}

static void run(void)
{
    while (work_goes_on()) {
        a();
        by->meet(A);
        VPROF_PROGRESS("round");
    }
}

static void begin_b(int is_process)
{
    pthread_t thread;
    if (!is_process)
        pthread_create(&thread, NULL, all_of_b, NULL);
    else if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        all_of_b(NULL);
    }
}

int main(int argc, char **argv)
{
    enum { JOIN = 6, FORK = 7 };
    static const struct meeting all[] = {
        {start_nothing, meet_cond},
        {start_sem, meet_sem},
        {start_barrier, meet_barrier},
        {start_nothing, meet_futex},
        {start_pipes, meet_channel},
        {start_eventfds, meet_channel},
        [FORK] = {start_barrier, meet_barrier},
    };
    work_start(argc, argv);
    left_a = left("a");
    left_b = left("b");
    int number = (int)work_option("by", 0);
    by = &all[number];
    if (number == JOIN) {
        run_joining();
        return 0;
    }
    by->start();
    begin_b(number == FORK);
    run();
    return 0;
}
