/* Futexes by the system call: any number of arguments, in a macro or not, and other calls. */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAKE(word) syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1)

static unsigned word;

static long changed(unsigned *at)
{
    const struct timespec little = {0, 1000};
    long result = syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, 7, &little);
    return result == -1 ? errno : result;
}

int main(void)
{
    long (*const call)(long, ...) = syscall;
    printf("%d %ld %ld\n", changed(&word) == EAGAIN, WAKE(&word), call(SYS_getppid) - getppid());
    return syscall(SYS_getpid) != getpid();
}
