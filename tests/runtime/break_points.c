/* Calls of a function that has no probe, told by the processor's breakpoints: each is counted, none is the program's to see.
 *
 * usage: break_points LIBVPROF_WRAP        runs each case as a program of its own, in a folder as that of an experiment
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tests/runtime/check.h"
#include "trace/delay_format.h"

enum { SKIPPED = 77, THREADS = 8, REGISTERS = 4 };

static volatile int traps;

static __attribute__((noinline)) void serve(void)
{
    __asm__ volatile("");
}

static void serve_times(int times)
{
    for (int i = 0; i < times; i++)
        serve();
}

/* ---- what a program does ---- */

static void *thread(void *times)
{
    serve_times((int)(intptr_t)times);
    return NULL;
}

static void case_calls(void)
{
    serve_times(100);
}

static void case_threads(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, thread, (void *)(10 * i)) == 0);
    serve_times(20);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[0], NULL, thread, (void *)(intptr_t)5) == 0);
        CHECK(pthread_join(threads[0], NULL) == 0);
    }
}

static void *masked_thread(void *times)
{
    sigset_t all, now;
    sigfillset(&all);
    CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0 && sigismember(&now, SIGUSR1));
    return thread(times);
}

static void case_masked(void)
{
    pthread_t other;
    CHECK(pthread_create(&other, NULL, masked_thread, (void *)(intptr_t)30) == 0);
    CHECK(pthread_join(other, NULL) == 0);
    sigset_t all;
    sigfillset(&all);
    CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
    serve_times(40);
}

static void on_trap(int number)
{
    (void)number;
    traps++;
}

static void case_handled(void)
{
    struct sigaction own = {.sa_handler = on_trap}, now;
    serve_times(10);
    CHECK(sigaction(SIGTRAP, &own, &now) == 0 && now.sa_handler == SIG_DFL);
    serve_times(10);
    raise(SIGTRAP);
    CHECK(traps == 1);
    CHECK(sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_handler == on_trap);
    CHECK(signal(SIGTRAP, SIG_DFL) == on_trap);
    serve_times(10);
    CHECK(signal(SIGTRAP, on_trap) == SIG_DFL);
    __asm__ volatile(
#if defined(__x86_64__)
        "int3"
#endif
    );
    serve_times(10);
    CHECK(traps == 2);
}

/* A trap that nobody wants ends the program. */
static void case_killed(void)
{
    serve_times(10);
    raise(SIGTRAP);
}

static void case_forked(void)
{
    serve_times(10);
    pid_t child = fork();
    CHECK(child >= 0);
    serve_times(child ? 5 : 20);
    if (child == 0) {
        pthread_t other;
        CHECK(pthread_create(&other, NULL, thread, (void *)(intptr_t)7) == 0);
        CHECK(pthread_join(other, NULL) == 0);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void case_executed(void)
{
    serve_times(10);
    execl("/proc/self/exe", "break_points", "calls", NULL);
}

static struct trace_delays *map_delays(const char *folder, int flags)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, TRACE_DELAYS_NAME);
    int fd = open(path, O_RDWR | flags, 0600);
    CHECK(fd >= 0 && ftruncate(fd, sizeof(struct trace_delays)) == 0);
    struct trace_delays *delays =
        mmap(NULL, sizeof *delays, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(delays != MAP_FAILED);
    close(fd);
    return delays;
}

static void begin_experiment(void)
{
    struct trace_delays *delays = map_delays(getenv("VPROF_TRACE_DIR"), 0);
    __atomic_fetch_add(&delays->epoch, 1, __ATOMIC_RELEASE);
    usleep(1000);
}

/* As daemons do. */
static void case_closed(void)
{
    for (int fd = 3; fd < 2048; fd++)
        close(fd);
    serve_times(10);
    begin_experiment();
    serve_times(10);
}

static void case_all_closed(void)
{
    serve_times(10);
    CHECK(syscall(SYS_close_range, 3u, ~0u, 0u) == 0);
    serve_times(10);
    begin_experiment();
    begin_experiment();
}

/* Not by a function of libc. */
static void case_taken(void)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } ignored = {.handler = SIG_IGN};
    serve_times(10);
    CHECK(syscall(SYS_rt_sigaction, SIGTRAP, &ignored, NULL, 8ul) == 0);
    serve_times(10);
    begin_experiment();
    begin_experiment();
}

/* ---- what was done before it ---- */

static int open_event(int inherited)
{
    struct perf_event_attr event = {.type = PERF_TYPE_BREAKPOINT,
                                    .size = sizeof event,
                                    .bp_type = HW_BREAKPOINT_X,
                                    .bp_addr = (uintptr_t)map_delays,
                                    .bp_len = sizeof(long),
                                    .sample_period = 1,
                                    .inherit = (unsigned)inherited,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0ul);
}

static void block_traps(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void take_registers(void)
{
    for (int i = 0; i < REGISTERS; i++)
        CHECK(open_event(1) >= 0);
}

static void forbid(int error)
{
    struct sock_filter words[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof words / sizeof words[0], words};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void forbid_events(void)
{
    forbid(EACCES);
}

/* ---- the cases ---- */

static const struct scene {
    const char *name;
    void (*run)(void);
    void (*prepare)(void);
    unsigned visits, watched, refused, lost;
    int error, status;
} scenes[] = {
    {"calls", case_calls, NULL, 100, 1, 0, 0, 0, 0},
    {"threads", case_threads, NULL, 10 * (THREADS - 1) * THREADS / 2 + 20 + 5 * THREADS, 1, 0, 0, 0,
     0},
    {"masked", case_masked, NULL, 70, 1, 0, 0, 0, 0},
    {"masked_before", case_calls, block_traps, 100, 1, 0, 0, 0, 0},
    {"handled", case_handled, NULL, 40, 1, 0, 0, 0, 0},
    {"killed", case_killed, NULL, 10, 1, 0, 0, 0, SIGTRAP},
    {"forked", case_forked, NULL, 42, 2, 0, 0, 0, 0},
    {"executed", case_executed, NULL, 110, 2, 0, 0, 0, 0},
    {"closed", case_closed, NULL, 20, 1, 0, 0, 0, 0},
    {"all_closed", case_all_closed, NULL, 10, 1, 0, 1, 0, 0},
    {"taken", case_taken, NULL, 10, 1, 0, 1, 0, 0},
    {"registers", case_calls, take_registers, 0, 0, 1, 0, ENOSPC, 0},
    {"forbidden", case_calls, forbid_events, 0, 0, 1, 0, EACCES, 0},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static int run_all(const char *library);

static struct trace_delays *make_delays(const char *folder)
{
    Dl_info self;
    struct trace_delays *delays = map_delays(folder, O_CREAT | O_TRUNC);
    CHECK(dladdr((void *)(uintptr_t)serve, &self));
    memcpy(delays->magic, TRACE_DELAYS_MAGIC, sizeof delays->magic);
    delays->version = TRACE_DELAYS_VERSION;
    delays->bytes = sizeof *delays;
    delays->pay_ns = 100000;
    delays->peers = 1;
    delays->epoch = 1;
    strcpy(delays->place_name, "serve");
    for (int i = 0; i < REGISTERS; i++) { /* all of them; in the others a case never is */
        uintptr_t place = i ? (uintptr_t)run_all + (uintptr_t)i : (uintptr_t)serve;
        delays->places[i].from = place - (uintptr_t)self.dli_fbase;
        delays->places[i].until = delays->places[i].from + 1;
        CHECK(readlink("/proc/self/exe", delays->place_objects[i], TRACE_DELAYS_PATH - 1) > 0);
    }
    delays->place_count = REGISTERS;
    return delays;
}

static void begin(const struct scene *scene, const char *folder, const char *library)
{
    if (scene->prepare)
        scene->prepare();
    setenv("VPROF_TRACE_DIR", folder, 1);
    setenv("LD_PRELOAD", library, 1);
    execl("/proc/self/exe", "break_points", scene->name, NULL);
    _exit(127);
}

static int end(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) << 8;
}

static unsigned is_wrong(const struct scene *scene, const char *folder, const char *library)
{
    int status = 0;
    struct trace_delays *d = make_delays(folder);
    pid_t child = fork();
    if (child == 0)
        begin(scene, folder, library);
    CHECK(waitpid(child, &status, 0) == child);
    unsigned wrong = d->visits != scene->visits || d->places_watched != scene->watched ||
                     d->places_refused != scene->refused || d->places_lost != scene->lost ||
                     d->place_error != (uint32_t)scene->error || end(status) != scene->status ||
                     (d->place_ns > 0) != (scene->watched > 0);
    printf("%s: visits %lu (%u), watched %lu (%u), refused %lu (%u), lost %lu (%u), error %u (%d), "
           "status %d (%d), each %lu ns%s\n",
           scene->name, d->visits, scene->visits, d->places_watched, scene->watched,
           d->places_refused, scene->refused, d->places_lost, scene->lost, d->place_error,
           scene->error, end(status), scene->status, d->place_ns, wrong ? " <- WRONG" : "");
    munmap(d, sizeof *d);
    return wrong;
}

static int run_all(const char *library)
{
    char folder[] = "/tmp/break_points-XXXXXX", command[64];
    unsigned wrong = 0;
    if (open_event(0) < 0) {
        perror("perf_event_open, a breakpoint");
        return SKIPPED;
    }
    CHECK(mkdtemp(folder));
    for (int i = 0; i < SCENES; i++)
        wrong += is_wrong(&scenes[i], folder, library);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; argc > 1 && i < SCENES; i++)
        if (strcmp(argv[1], scenes[i].name) == 0) {
            scenes[i].run();
            return 0;
        }
    return argc > 1 ? run_all(argv[1]) : 2;
}
