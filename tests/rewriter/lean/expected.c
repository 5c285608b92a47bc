#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONCE(statement)                                                                            \
    do {                                                                                           \
        statement;                                                                                 \
    } while (0)

static int (*chosen)(int);

/* Short: nothing here can take long. */
static int half(int x)
{
    ONCE(x /= 2);
    return x;
}

static int quarter(int x)
{
    if (x < 0)
        goto out;
    x = half(half(x));
out:
    return x;
}

static int lower(int c)
{
    return isalpha(c) || errno ? tolower(c) : quarter(c);
}

/* Not short, each for a reason of its own. */
static int sum(int x)
{VPROF_FUNCTION(4)
    int all = 0;
    for (int i = 0; i < x; i++)
        all += i;
    return all;
}

static int again(int x)
{VPROF_FUNCTION(5)
more:
    if (x-- > 7)
        goto more;
    return x;
}

static int odd(int x);

/* One of the two that call each other is enough. */
static int even(int x)
{
    return x == 0 || odd(x - 1);
}

static int odd(int x)
{VPROF_FUNCTION(7)
    return x != 0 && even(x - 1);
}

static int by_pointer(int x)
{VPROF_FUNCTION(8)
    return __extension__({VPROF_FUNCTION(23) VPROF_TARGET(23, chosen)(x);});
}

static size_t length(const char *text)
{VPROF_FUNCTION(9)
    return strlen(text);
}

static void *waits(void)
{VPROF_FUNCTION(10)
    return __extension__({VPROF_FUNCTION(25) malloc(8);});
}

static void free_all(void *memory)
{VPROF_FUNCTION(11)
    __extension__({VPROF_FUNCTION(26) free(memory);});
}

/* Short, whatever it calls, and it ends the program where that fails. */
static int caller(int x)
{
    void *memory = waits();
    if (!memory)
        abort();
    free_all(memory);
    return half(sum(x));
}

static int many(int x)
{VPROF_FUNCTION(13)
    ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++);
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    return x;
}

int main(void)
{VPROF_FUNCTION(14)
    chosen = half;
    free_all(waits());
    __extension__({VPROF_FUNCTION(34) printf("%d %d %d %d %d\n", VPROF_RESTART(34, lower('A')), VPROF_RESTART(34, sum(4)), VPROF_RESTART(34, again(9)), VPROF_RESTART(34, even(4)), VPROF_RESTART(34, by_pointer(8)));});
    __extension__({VPROF_FUNCTION(40) printf("%zu %d %d\n", VPROF_RESTART(40, length("four")), VPROF_RESTART(40, caller(4)), VPROF_RESTART(40, many(1)));});
    return 0;
}
