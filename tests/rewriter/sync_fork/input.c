/* Processes that are made without fork(); functions of other types with one of the names. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[64 << 10] __attribute__((aligned(16)));

static int give(void *number)
{
    return *(int *)number;
}

static int end_of(long pid)
{
    int status;
    return waitpid((pid_t)pid, &status, 0) == pid ? WEXITSTATUS(status) : -1;
}

static int both(void)
{
    int number = 3;
    pid_t pid = _Fork();
    if (pid == 0)
        _exit(2);
    number = end_of(clone(give, stack + sizeof stack, SIGCHLD, &number)) + 4;
    return end_of(pid) + number;
}

int main(void)
{
    pid_t (*const make)(void) = _Fork;
    pid_t pid = make();
    if (pid == 0)
        _exit(5);
    long other = syscall(SYS_clone, (long)SIGCHLD, 0l, 0l, 0l, 0l);
    if (other == 0)
        _exit(6);
    printf("%d %d %d\n", both(), end_of(pid), end_of(other));
    return 0;
}
