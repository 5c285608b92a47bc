#include "driver/workbench/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "driver/cli/talk.h"
#include "driver/workbench/log_limit.h"
#include "driver/workbench/stray.h"

enum {
    USUAL_GRACE_S = 2,
    GROUP_LOOK_MS = 50,
    LOG_LOOK_MS = 250,
    WAIT_LOOK_MS = 20,
    HINT_LOOK_S = 5
};
enum { LINE_BYTES = 160 }; /* of a log's line in a message */
/* A shell's exit status is 128 + n for a command that signal n ended. */
enum { SHELL_SIGNALS = 128, SIGNALS = 64 };

static volatile sig_atomic_t interrupted_;

static void note_interrupt(int signal_number)
{
    interrupted_ = signal_number;
}

void process_catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

bool process_interrupted(void)
{
    return interrupted_ != 0;
}

void process_set(struct process *process, const char *name, const char *value)
{
    struct str text = {0};
    str_printf(&text, "%s=%s", name, value);
    VEC_PUSH(process->variables, process->variable_count, process->variable_capacity) = text.data;
}

void process_release(struct process *process)
{
    for (size_t i = 0; i < process->variable_count; i++)
        memory_free(process->variables[i]);
    memory_free(process->variables);
    str_release(&process->strays);
    process->variables = NULL;
    process->variable_count = process->variable_capacity = 0;
}

/* The child runs this, and it never returns. */
static void become_command(const struct process *process, int log)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int none = open("/dev/null", O_RDONLY);
    dup2(none, 0);
    dup2(log, 1);
    dup2(log, 2);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    for (size_t i = 0; i < process->variable_count; i++)
        putenv(process->variables[i]);
    if (chdir(process->directory) == 0)
        execvp(process->argv[0], process->argv);
    dprintf(2, "can't run %s in %s: %s\n", process->argv[0], process->directory, strerror(errno));
    _exit(STATUS_NOT_FOUND);
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static bool group_ends_within(pid_t group, unsigned ms)
{
    for (unsigned spent = 0;; spent += GROUP_LOOK_MS) {
        while (waitpid(-group, NULL, WNOHANG) > 0)
            ;
        if (kill(-group, 0) != 0)
            return true;
        if (spent >= ms)
            return false;
        pause_ms(GROUP_LOOK_MS);
    }
}

/* The group is told to end by SIGTERM; by SIGINT, because some servers wait for their clients after
 * SIGTERM; at last by SIGKILL, and the result is false. */
static bool end_group(pid_t group, unsigned grace_s)
{
    unsigned half_ms = grace_s * 1000 / 2;
    if (kill(-group, SIGTERM) != 0 || group_ends_within(group, half_ms))
        return true;
    kill(-group, SIGINT);
    if (group_ends_within(group, half_ms))
        return true;
    kill(-group, SIGKILL);
    return false;
}

/* Waits until the pipe's other end closes (false) or a byte comes; the log is looked after
 * meanwhile. */
static bool guard_until_told(int pipe_end, int log)
{
    char byte;
    struct pollfd end = {.fd = pipe_end, .events = POLLIN};
    struct log_limit limit = {.fd = log};
    while (poll(&end, 1, LOG_LOOK_MS) <= 0)
        log_limit_keep(&limit);
    return read(pipe_end, &byte, 1) == 1;
}

/* A copy of a perf event's descriptor keeps the event going when its recorder has closed it. */
static void close_others(unsigned pipe_end, unsigned log)
{
    unsigned low = pipe_end < log ? pipe_end : log, high = pipe_end < log ? log : pipe_end;
    if (low > STDERR_FILENO + 1)
        close_range(STDERR_FILENO + 1, low - 1, 0);
    if (high > low + 1)
        close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0u, 0);
}

/* The guard is a process that ends the command when vprofiler itself is killed. */
static pid_t start_guard(pid_t group, int log, const char *mark, int *hold)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t guard = fork();
    if (guard == 0) {
        close_others((unsigned)ends[0], (unsigned)log);
        setpgid(0, 0);
        if (!guard_until_told(ends[0], log)) {
            end_group(group, USUAL_GRACE_S);
            stray_end_marked(mark, USUAL_GRACE_S);
        }
        _exit(0);
    }
    close(ends[0]);
    *hold = ends[1];
    return guard;
}

/* The group was ended already: the guard is told so by a byte. */
static void release_guard(pid_t guard, int hold)
{
    if (guard < 0)
        return;
    if (write(hold, "", 1) != 1)
        kill(guard, SIGKILL);
    close(hold);
    waitpid(guard, NULL, 0);
}

/* The mark is a variable by which a command's daemons are found if vprofiler is killed. */
static const char *set_mark(struct process *process)
{
    static unsigned commands;
    char value[48];
    snprintf(value, sizeof value, "%d-%u", (int)getpid(), ++commands);
    process_set(process, "VPROF_COMMAND", value);
    return process->variables[process->variable_count - 1];
}

/* A child's group can't be told to end before the child has a session of its own. */
static void await_session(pid_t child)
{
    siginfo_t what = {0};
    while (getsid(child) != child &&
           waitid(P_PID, (id_t)child, &what, WEXITED | WNOHANG | WNOWAIT) == 0 && what.si_pid == 0)
        sched_yield();
}

bool process_start(struct process *process, struct error *error)
{
    unlink(process->log); /* of an earlier time: it need not be readable */
    int log = file_create(process->log);
    if (log < 0 || fcntl(log, F_SETFL, O_APPEND) != 0)
        return error_system(error, "Can't write the log %s", process->log);
    process->start_seconds = clock_s();
    process->status = 0;
    stray_adopt();
    const char *mark = set_mark(process);
    process->child = fork();
    if (process->child == 0)
        become_command(process, log);
    if (process->child < 0) {
        close(log);
        return error_system(error, "Can't start %s", process->argv[0]);
    }
    await_session(process->child);
    process->guard_hold = -1;
    process->guard = start_guard(process->child, log, mark, &process->guard_hold);
    close(log);
    return true;
}

/* Orphans of the command are vprofiler's; they would stay in the system's table until its end. */
static void reap_orphans(const struct process *process)
{
    siginfo_t what;
    while (what.si_pid = 0, waitid(P_ALL, 0, &what, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                                what.si_pid && what.si_pid != process->child &&
                                what.si_pid != process->guard)
        waitpid(what.si_pid, NULL, WNOHANG);
}

bool process_running(const struct process *process)
{
    reap_orphans(process);
    siginfo_t what = {0};
    return waitid(P_PID, (id_t)process->child, &what, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           what.si_pid == 0;
}

void process_end(struct process *process)
{
    int status;
    if (waitpid(process->child, &status, WNOHANG) == process->child)
        process->status = status;
    process->killed =
        !end_group(process->child, process->grace_s ? process->grace_s : USUAL_GRACE_S);
    stray_end(USUAL_GRACE_S, &process->strays);
    release_guard(process->guard, process->guard_hold);
    process->seconds = clock_s() - process->start_seconds;
}

static void wait_within(const struct process *process, unsigned seconds)
{
    double end = clock_s() + seconds;
    while (process_running(process) && !interrupted_ && clock_s() < end)
        pause_ms(WAIT_LOOK_MS);
}

static void wake_up(int signal_number)
{
    (void)signal_number;
}

/* Until the hint is given, the wait for the command is interrupted now and then; nothing looks
 * while it is measured after that. */
static void look_every(unsigned seconds)
{
    struct sigaction action = {.sa_handler = wake_up};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static double quiet_for_s(const struct process *process)
{
    struct stat status;
    struct timespec now;
    double seconds = clock_s() - process->start_seconds, since;
    if (!process->hint.file || stat(process->hint.file, &status) != 0)
        return seconds;
    clock_gettime(CLOCK_REALTIME, &now);
    since = difftime(now.tv_sec, status.st_mtim.tv_sec);
    return since < seconds ? since : seconds;
}

static void give_hint(struct process *process)
{
    if (!process->hint.text || quiet_for_s(process) < process->hint.seconds)
        return;
    talk("%s", process->hint.text);
    process->hint.text = NULL;
    look_every(0);
}

/* A command that stopped itself is told of once: nobody can see it in the list of jobs. */
static void wait_for_child(struct process *process)
{
    bool told = false;
    while (!interrupted_) {
        int status;
        pid_t pid = waitpid(-1, &status, WUNTRACED);
        if (pid < 0 && errno != EINTR)
            return;
        if (pid < 0)
            give_hint(process);
        if (pid != process->child)
            continue;
        if (!WIFSTOPPED(status)) {
            process->status = status;
            return;
        }
        if (!told)
            talk("%s stopped itself (signal %d). To go on: kill -CONT %d", process->argv[0],
                 WSTOPSIG(status), (int)pid);
        told = true;
    }
}

void process_wait(struct process *process)
{
    if (process->most_seconds)
        wait_within(process, process->most_seconds);
    else {
        look_every(process->hint.text ? HINT_LOOK_S : 0);
        wait_for_child(process);
        look_every(0);
    }
    process_end(process);
}

bool process_run(struct process *process, struct error *error)
{
    if (!process_start(process, error))
        return false;
    process_wait(process);
    return process_check(process, error);
}

bool process_check(const struct process *process, struct error *error)
{
    if (interrupted_)
        return error_set(error, ERROR_STOPPED, "Interrupted. Nothing of yours was changed.");
    if (process->status == 0)
        return true;
    struct str how = {0};
    process_describe(process, &how);
    error_set(error, ERROR_TARGET, "%s ended with %s", process->argv[0], how.data);
    str_release(&how);
    return false;
}

static int signal_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    int code = WEXITSTATUS(status);
    return code > SHELL_SIGNALS && code <= SHELL_SIGNALS + SIGNALS ? code - SHELL_SIGNALS : 0;
}

void process_describe(const struct process *process, struct str *text)
{
    int signal_number = signal_of(process->status);
    if (signal_number)
        str_printf(text, "signal %d (%s)", signal_number, strsignal(signal_number));
    else
        str_printf(text, "exit status %d", WEXITSTATUS(process->status));
}

/* Appends one line of a log, shortened, and gives where the next one starts. */
static size_t append_line(const struct file_map *map, size_t start, struct str *text)
{
    const char *line = map->data + start;
    const char *end = memchr(line, '\n', map->size_bytes - start);
    size_t length = end ? (size_t)(end - line) : map->size_bytes - start;
    str_append(text, "    | ");
    str_append_bytes(text, line, length > LINE_BYTES ? LINE_BYTES : length);
    str_append_char(text, '\n');
    return start + length + 1;
}

void process_log_errors(const char *log, unsigned lines, struct str *text)
{
    struct error error;
    struct file_map map;
    if (!file_map_open(&map, log, &error) || !map.data)
        return;
    size_t start = 0;
    while (start < map.size_bytes && lines > 0) {
        struct str line = {0};
        size_t next = append_line(&map, start, &line);
        if (strstr(line.data, "error: ")) {
            str_append(text, line.data);
            lines--;
        }
        str_release(&line);
        start = next;
    }
    if (text->length)
        str_append(text, "    ...\n");
    file_map_close(&map);
}

void process_log_tail(const char *log, unsigned lines, struct str *text)
{
    struct error error;
    struct file_map map;
    if (!file_map_open(&map, log, &error) || !map.data)
        return;
    size_t start = map.size_bytes;
    for (unsigned left = lines + 1; start > 0; start--)
        if (map.data[start - 1] == '\n' && start != map.size_bytes && --left == 1)
            break;
    while (start < map.size_bytes)
        start = append_line(&map, start, text);
    file_map_close(&map);
}
