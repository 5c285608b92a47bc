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

static int length(const char *text)
{VPROF_FUNCTION(1)
    return (int)__extension__({VPROF_FUNCTION(3) strlen(text);});
}

int main(int argc, char **argv)
{VPROF_FUNCTION(2)
    char text[8] = {'a', (char)('a' + argc), '\0'};
    int n = CHECK(__extension__({VPROF_FUNCTION(4) strcmp(text, "b");}));
    n += BOTH((int)strlen(text));
    SHOW(strlen(text) == 2);
    VIA_SHOW((int)strlen(text));
    n += LENGTH(__extension__({VPROF_FUNCTION(11) strchr(text, 'a');}));
    PRINT("%d %d\n", n, length(text));
    LOG("%zu\n", __extension__({VPROF_FUNCTION(15) strlen(text);}));
    LOG("none\n");
    PUT("put");
    assert(strlen(argv[0]) > 0);
    return 0;
}
