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
{
    int all = 0;
    for (int i = 0; i < x; i++)
        all += i;
    return all;
}

static int again(int x)
{
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
{
    return x != 0 && even(x - 1);
}

static int by_pointer(int x)
{
    return chosen(x);
}

static size_t length(const char *text)
{
    return strlen(text);
}

static void *waits(void)
{
    return malloc(8);
}

static void free_all(void *memory)
{
    free(memory);
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
{
    ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++); ONCE(x++);
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
    return x;
}

int main(void)
{
    chosen = half;
    free_all(waits());
    printf("%d %d %d %d %d\n", lower('A'), sum(4), again(9), even(4), by_pointer(8));
    printf("%zu %d %d\n", length("four"), caller(4), many(1));
    return 0;
}
