/* Futexes by the system call: any number of arguments, in a macro or not, and other calls. */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
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

/* What lies above a call with few arguments is AddressSanitizer's. */
static int some(char *at)
{
    char bytes[16];
    memset(bytes, 0, sizeof bytes);
    long n = syscall(SYS_getrandom, bytes, sizeof bytes, 0);
    memcpy(at, bytes, sizeof bytes);
    return n == sizeof bytes;
}

int main(void)
{
    char bytes[16];
    long (*const call)(long, ...) = syscall;
    printf("%d %d %ld %ld\n", some(bytes), changed(&word) == EAGAIN, WAKE(&word), call(SYS_getppid) - getppid());
    return syscall(SYS_getpid) != getpid();
}
