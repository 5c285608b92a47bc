#include <assert.h>
#include <stdio.h>
#include <string.h>

#define CHECK(x) ((x) ? 1 : 0)
#define BOTH(x) ((x) + (x))
#define SHOW(x) printf("%s = %d\n", #x, (x))
#define VIA_SHOW(x) SHOW(x)
#define LENGTH(s) ((int)strlen(s))
#define PRINT(...) printf(__VA_ARGS__)
#define LOG(format, ...) printf(format, ##__VA_ARGS__)
#define PUT puts
#define FLUSH(file) fflush(file) /* and no more */
#define FLUSH_TOO(file) FLUSH(file)
#define FLUSH_BOTH(a, b) \
    do {                 \
        FLUSH(a);        \
        FLUSH(b);        \
    } while (0)
#define LONGER(s) strlen(s) + 1
#define REPEATED(s) strncmp(s, s, strlen(s))

static int length(const char *text)
{
    return (int)strlen(text);
}

int main(int argc, char **argv)
{
    char text[8] = {'a', (char)('a' + argc), '\0'};
    int n = CHECK(strcmp(text, "b"));
    n += BOTH((int)strlen(text));
    SHOW(strlen(text) == 2);
    VIA_SHOW((int)strlen(text));
    n += LENGTH(strchr(text, 'a'));
    PRINT("%d %d\n", n, length(text));
    LOG("%zu\n", strlen(text));
    LOG("none\n");
    PUT("put");
    FLUSH(stdout);
    n += FLUSH(n > 0 ? stdout : stderr);
    n += FLUSH_TOO(stdout);
    FLUSH_BOTH(stdout, stderr);
    n += (int)LONGER(text) + REPEATED(text);
    printf("%d\n", n);
    assert(strlen(argv[0]) > 0);
    return 0;
}
