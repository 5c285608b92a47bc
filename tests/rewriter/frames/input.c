#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf away;
static jmp_buf *where = &away;

static int leap(int n)
{
    if (n < 0)
        return 0;
    if (n == 0)
        longjmp(away, 7);
    return leap(n - 1) + 1;
}

static int child(void)
{
    pid_t pid = vfork();
    int status = 0;
    if (pid == 0)
        _exit(3);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

static char *spaces(size_t n)
{
    char *text = alloca(n + 1);
    memset(text, ' ', n);
    text[n] = '\0';
    return strdup(text);
}

int main(void)
{
    volatile int tries = 0;
    char *volatile text = spaces(3);
    int code = setjmp(*where);
    printf("%d %d '%s'\n", code, child(), text);
    free(text);
    text = NULL;
    if (tries++ == 0)
        leap(3);
    exit(code == 7 ? 0 : 1);
}
