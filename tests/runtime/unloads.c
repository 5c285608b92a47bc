/* unloads.c MODULE: loads a module again and again until its standard input ends, calls what it has
 * and unloads it; another thread's intervals begin and end all the while. What is switched
 * meanwhile is check.py's. Prints the number of loads. The program has no probes itself: all that
 * is known of switches comes from the module. */
#include "vprof_api.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS_A_LOAD = 10 };
static int stop;

static void *mark(void *unused)
{
    (void)unused;
    for (unsigned long id = 1; !__atomic_load_n(&stop, __ATOMIC_RELAXED); id++) {
        SI_BEGIN(id);
        poll(NULL, 0, 1);
        SI_END(id);
    }
    return NULL;
}

/* At a fork the runtime looks for what was loaded. */
static int fork_once(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return waitpid(child, NULL, 0) == child;
}

/* Whether it was there, worked, and is gone. */
static int load(const char *path)
{
    int (*work)(int);
    void *module = dlopen(path, RTLD_NOW);
    if (!module || !fork_once())
        return 0;
    *(void **)&work = dlsym(module, "module_work");
    for (int i = 0; i < CALLS_A_LOAD; i++)
        if (work(i) != i + 1)
            return 0;
    return dlclose(module) == 0 && !dlopen(path, RTLD_NOW | RTLD_NOLOAD);
}

int main(int argc, char **argv)
{
    struct pollfd input = {0, POLLIN, 0};
    unsigned long loads = 0;
    pthread_t marker;
    if (argc != 2 || pthread_create(&marker, NULL, mark, NULL) != 0)
        return 1;
    for (; poll(&input, 1, 0) == 0; loads++)
        if (!load(argv[1]))
            return 2;
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    printf("%lu\n", loads);
    return pthread_join(marker, NULL) != 0;
}
