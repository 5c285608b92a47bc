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
{VPROF_FUNCTION(1)
    return (int)__extension__({VPROF_FUNCTION(3) strlen(text);});
}

int main(int argc, char **argv)
{VPROF_FUNCTION(2)
    char text[8] = {'a', (char)('a' + argc), '\0'};
    int n = CHECK(__extension__({VPROF_FUNCTION(4) strcmp(text, "b");}));
    n += BOTH((int)strlen(text));
    __extension__({VPROF_FUNCTION(6) SHOW(strlen(text) == 2);});
    VIA_SHOW((int)strlen(text));
    n += LENGTH(__extension__({VPROF_FUNCTION(11) strchr(text, 'a');}));
    __extension__({VPROF_FUNCTION(12) PRINT("%d %d\n", n, length(text));});
    __extension__({VPROF_FUNCTION(14) LOG("%zu\n", __extension__({VPROF_FUNCTION(15) strlen(text);}));});
    __extension__({VPROF_FUNCTION(16) LOG("none\n");});
    PUT("put");
    __extension__({VPROF_FUNCTION(18) FLUSH(stdout);});
    n += __extension__({VPROF_FUNCTION(19) FLUSH(n > 0 ? stdout : stderr);});
    n += FLUSH_TOO(stdout);
    FLUSH_BOTH(stdout, stderr);
    n += (int)LONGER(text) + REPEATED(text);
    __extension__({VPROF_FUNCTION(25) printf("%d\n", n);});
    assert(strlen(argv[0]) > 0);
    return 0;
}
