#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair {
    int first : 3;
    int second;
};

static struct pair *pair_of(int n)
{VPROF_FUNCTION(1)
    static struct pair pair;
    pair.first = n & 3;
    pair.second = n;
    return &pair;
}

static int three(int a, int b, int c)
{VPROF_FUNCTION(2)
    return a * 100 + b * 10 + c;
}

int main(void)
{VPROF_FUNCTION(3)
    char text[64];
    errno = ENOENT;
    __extension__({VPROF_FUNCTION(5) printf("%s\n", VPROF_RESTART(5, __extension__({VPROF_FUNCTION(6) strerror(VPROF_RESTART(6, errno));})));});
    __extension__({VPROF_FUNCTION(8) printf("%d %d\n", VPROF_RESTART(8, three(__extension__({VPROF_FUNCTION(10) abs(-1);}), __extension__({VPROF_FUNCTION(11) abs(VPROF_RESTART(11, __extension__({VPROF_FUNCTION(12) abs(-2);})));}), 3)), VPROF_RESTART(8, __extension__({VPROF_FUNCTION(13) abs(VPROF_RESTART(13, three(0, 0, -4)));})));});
    __extension__({VPROF_FUNCTION(15) printf("%d %d\n", VPROF_RESTART(15, __extension__({VPROF_FUNCTION(16) abs(pair_of(5)->first);})), VPROF_RESTART(15, __extension__({VPROF_FUNCTION(18) abs(VPROF_RESTART(18, pair_of(-6)->second));})));});
    if (__extension__({VPROF_FUNCTION(20) close(-1);}) == 0 || errno != EBADF)
        return 1;
    __extension__({VPROF_FUNCTION(22) snprintf(text, sizeof text, "%d", VPROF_RESTART(22, __extension__({VPROF_FUNCTION(23) atoi(VPROF_RESTART(23, __extension__({VPROF_FUNCTION(24) strcpy(text, "12");})));}) + __extension__({VPROF_FUNCTION(25) abs(-1);})));});
    return __extension__({VPROF_FUNCTION(26) write(1, text, VPROF_RESTART(26, __extension__({VPROF_FUNCTION(27) strlen(text);})));}) < 0 || __extension__({VPROF_FUNCTION(28) putchar('\n');}) < 0;
}
