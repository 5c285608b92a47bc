/* short_threads.c N: N threads, one after another, each with one call; memory must not grow. */
#include "target.h"

static void *thread(void *arg)
{
    VPROF_FUNCTION(1)
    return arg;
}

static long size_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmSize: %ld", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return kb;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    long before = 0;
    for (int i = 0; i < n; i++) {
        pthread_t t;
        if (i == 50)
            before = size_kb();
        CHECK(VPROF_SYNC4(2, thread_create, pthread_create, &t, NULL, thread, NULL) == 0);
        CHECK(pthread_join(t, NULL) == 0);
    }
    CHECK(size_kb() < before + 8192);
    return 0;
}
