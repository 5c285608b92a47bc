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
{
    static struct pair pair;
    pair.first = n & 3;
    pair.second = n;
    return &pair;
}

static int three(int a, int b, int c)
{
    return a * 100 + b * 10 + c;
}

int main(void)
{
    char text[64];
    errno = ENOENT;
    printf("%s\n", strerror(errno));
    printf("%d %d\n", three(abs(-1), abs(abs(-2)), 3), abs(three(0, 0, -4)));
    printf("%d %d\n", abs(pair_of(5)->first), abs(pair_of(-6)->second));
    if (close(-1) == 0 || errno != EBADF)
        return 1;
    snprintf(text, sizeof text, "%d", atoi(strcpy(text, "12")) + abs(-1));
    return write(1, text, strlen(text)) < 0 || putchar('\n') < 0;
}
