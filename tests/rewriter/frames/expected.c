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
{VPROF_FUNCTION(1)
    if (n < 0)
        return 0;
    if (n == 0)
        longjmp(away, 7);
    return leap(n - 1) + 1;
}

static int child(void)
{VPROF_FUNCTION(2)
    pid_t pid = vfork();
    int status = 0;
    if (pid == 0)
        _exit(3);
    __extension__({VPROF_FUNCTION(9) waitpid(pid, &status, 0);});
    return WEXITSTATUS(status);
}

static char *spaces(size_t n)
{VPROF_FUNCTION(3)
    char *text = alloca(n + 1);
    __extension__({VPROF_FUNCTION(10) memset(text, ' ', n);});
    text[n] = '\0';
    return __extension__({VPROF_FUNCTION(11) strdup(text);});
}

int main(void)
{VPROF_FUNCTION(4)
    volatile int tries = 0;
    char *volatile text = spaces(3);
    int code = setjmp(*where);
    __extension__({VPROF_FUNCTION(14) printf("%d %d '%s'\n", code, VPROF_RESTART(14, child()), text);});
    __extension__({VPROF_FUNCTION(16) free(text);});
    text = NULL;
    if (tries++ == 0)
        leap(3);
    exit(code == 7 ? 0 : 1);
}
