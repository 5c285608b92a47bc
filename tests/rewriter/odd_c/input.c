/* Attributes and forms that are rare. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int plain(int n)
{
    return n + 1;
}

__attribute__((used)) static int (*resolve(void))(int)
{
    return plain;
}

int chosen(int n) __attribute__((ifunc("resolve")));

__attribute__((no_instrument_function)) static int quiet(int n)
{
    return abs(n);
}

static inline __attribute__((always_inline)) int inlined(int n)
{
    return abs(n) + quiet(n);
}

__attribute__((constructor)) static void early(void)
{
    puts("early");
}

static int assembled(int n)
{
    int twice;
    __asm__("lea (%1,%1), %0" : "=r"(twice) : "r"(n));
    return abs(twice);
}

_Noreturn static void leave(int code)
{
    fflush(stdout);
    exit(code);
}

struct large {
    int many[32];
};

static struct large doubled(struct large value, int n)
{
    for (int i = 0; i < 32; i++)
        value.many[i] = 2 * abs(n);
    return value;
}

static int tail(int n, int sum)
{
    return n ? tail(n - 1, sum + n) : abs(sum);
}

static int last(int count, ...)
{
    va_list list;
    va_start(list, count);
    int value = 0;
    while (count--)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

static int many(int argc, char *argv[static 1], int n, int table[n])
{
    int sizes[argc + 1];
    memset(sizes, 0, sizeof sizes);
    return table[abs(-1)] + sizes[argc] + (argv[0] != NULL);
}

static int
split
(int n)
{ switch (n) { case 1: return abs(-1); default: break; } if (n > 2) return abs(-2); else { return 0; } }

int main(int argc, char **argv)
{
    struct large value = {{1}};
    int table[2] = {3, 4};
    int (*pointer)(int) = chosen;
    printf("%d %d %d %d\n", chosen(1), pointer(2), inlined(-3), assembled(4));
    printf("%d %d %d\n", doubled(value, -5).many[31], tail(3, 0), last(2, 7, abs(-8)));
    printf("%d %d %d\n", many(argc, argv, 2, table), split(1), split(3));
    leave(0);
}
