/* raw_forks.c: processes made without fork(), by all ways that there are; each records what its
 * parent does not. The last shares its parent's memory and its thread pointer while both run. */
#pragma redefine_extname _Fork vprof__Fork_1
#pragma redefine_extname clone vprof_clone_1
#pragma redefine_extname syscall vprof_syscall_1
#include "target.h"

VPROF_REDIRECT_FORK(_Fork)
VPROF_REDIRECT_CLONE(clone)
VPROF_REDIRECT_SYSTEM(syscall)

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { CALLS = 5000 };

static void work(long id)
{
    VPROF_FUNCTION(1)
    VPROF_ENQUEUE(0, id);
}

static int burst(void *id)
{
    for (int i = 0; i < CALLS; i++)
        work((long)id);
    return 0;
}

static void parent_of(long pid)
{
    int status;
    CHECK(pid > 0);
    burst(NULL);
    CHECK(waitpid((pid_t)pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void both(long pid, long id)
{
    if (pid)
        parent_of(pid);
    else
        _exit(burst((void *)id));
}

static char *stack(void)
{
    static char memory[256 << 10] __attribute__((aligned(64)));
    return memory + sizeof memory;
}

static void *in_a_thread(void *unused)
{
    parent_of(clone(burst, stack(), CLONE_VM | SIGCHLD, NULL));
    return unused;
}

/* Its parent waits, and it has its memory: it is one thread with it. */
static void made_by_vfork(long id)
{
    pid_t pid = vfork();
    if (pid == 0)
        _exit(burst((void *)id));
    CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
}

int main(void)
{
    pthread_t thread;
    struct clone_args arguments = {.exit_signal = SIGCHLD};
    burst(NULL);
    both(_Fork(), 1);
    both(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), 2);
    both(syscall(SYS_clone3, &arguments, sizeof arguments), 3);
#ifdef SYS_fork
    both(syscall(SYS_fork), 4);
#else
    both(_Fork(), 4);
#endif
    parent_of(clone(burst, stack(), SIGCHLD, (void *)5));
    parent_of(clone(burst, stack(), CLONE_VFORK | SIGCHLD, (void *)6));
    made_by_vfork(0);
    CHECK(pthread_create(&thread, NULL, in_a_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
    burst(NULL);
    return 0;
}
