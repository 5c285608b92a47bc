/* Attributes and forms that are rare. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int plain(int n)
{VPROF_FUNCTION(1)
    return n + 1;
}

__attribute__((used)) static int (*resolve(void))(int)
{VPROF_FUNCTION(2)
    return plain;
}

int chosen(int n) __attribute__((ifunc("resolve")));

__attribute__((no_instrument_function)) static int quiet(int n)
{VPROF_FUNCTION(3)
    return __extension__({VPROF_FUNCTION(14) abs(n);});
}

static inline __attribute__((always_inline)) int inlined(int n)
{VPROF_FUNCTION(4)
    return __extension__({VPROF_FUNCTION(15) abs(n);}) + quiet(n);
}

__attribute__((constructor)) static void early(void)
{VPROF_FUNCTION(5)
    __extension__({VPROF_FUNCTION(17) puts("early");});
}

static int assembled(int n)
{VPROF_FUNCTION(6)
    int twice;
    __asm__("lea (%1,%1), %0" : "=r"(twice) : "r"(n));
    return __extension__({VPROF_FUNCTION(18) abs(twice);});
}

_Noreturn static void leave(int code)
{VPROF_FUNCTION(7)
    __extension__({VPROF_FUNCTION(19) fflush(stdout);});
    exit(code);
}

struct large {
    int many[32];
};

static struct large doubled(struct large value, int n)
{VPROF_FUNCTION(8)
    for (int i = 0; i < 32; i++)
        value.many[i] = 2 * __extension__({VPROF_FUNCTION(21) abs(n);});
    return value;
}

static int tail(int n, int sum)
{VPROF_FUNCTION(9)
    return n ? tail(n - 1, sum + n) : __extension__({VPROF_FUNCTION(23) abs(sum);});
}

static int last(int count, ...)
{VPROF_FUNCTION(10)
    va_list list;
    va_start(list, count);
    int value = 0;
    while (count--)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

static int many(int argc, char *argv[static 1], int n, int table[n])
{VPROF_FUNCTION(11)
    int sizes[argc + 1];
    __extension__({VPROF_FUNCTION(24) memset(sizes, 0, sizeof sizes);});
    return table[__extension__({VPROF_FUNCTION(25) abs(-1);})] + sizes[argc] + (argv[0] != NULL);
}

static int
split
(int n)
{VPROF_FUNCTION(12) switch (n) { case 1: return __extension__({VPROF_FUNCTION(26) abs(-1);}); default: break; } if (n > 2) return __extension__({VPROF_FUNCTION(27) abs(-2);}); else { return 0; } }

int main(int argc, char **argv)
{VPROF_FUNCTION(13)
    struct large value = {{1}};
    int table[2] = {3, 4};
    int (*pointer)(int) = chosen;
    __extension__({VPROF_FUNCTION(28) printf("%d %d %d %d\n", VPROF_RESTART(28, __extension__({VPROF_FUNCTION(29) chosen(1);})), VPROF_RESTART(28, __extension__({VPROF_FUNCTION(30) VPROF_TARGET(30, pointer)(2);})), VPROF_RESTART(28, inlined(-3)), VPROF_RESTART(28, assembled(4)));});
    __extension__({VPROF_FUNCTION(33) printf("%d %d %d\n", VPROF_RESTART(33, doubled(value, -5).many[31]), VPROF_RESTART(33, tail(3, 0)), VPROF_RESTART(33, last(2, 7, __extension__({VPROF_FUNCTION(37) abs(-8);}))));});
    __extension__({VPROF_FUNCTION(38) printf("%d %d %d\n", VPROF_RESTART(38, many(argc, argv, 2, table)), VPROF_RESTART(38, split(1)), VPROF_RESTART(38, split(3)));});
    leave(0);
}
