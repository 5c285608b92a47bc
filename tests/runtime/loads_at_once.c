/* loads_at_once.c MODULE [FOLDER]: a redirected dlopen; the module's calls are recorded from the
 * first on. With FOLDER, those of its copies there, which two threads with small stacks load at a
 * time. */
#pragma redefine_extname dlopen vprof_dlopen_1
#include "target.h"

VPROF_REDIRECT_LOAD(dlopen)

#include <dlfcn.h>

enum { COPIES = 100 };
static const char *folder;

/* A call that is under way while an object comes. */
static void load(const char *path)
{
    VPROF_FUNCTION(2)
    int (*work)(int);
    void *module = dlopen(path, RTLD_NOW);
    CHECK(module);
    *(void **)&work = dlsym(module, "module_work");
    CHECK(work(2) == 3);
}

static void *load_copies(void *name)
{
    char path[512];
    for (int i = 0; i < COPIES; i++) {
        snprintf(path, sizeof path, "%s/%s%d.so", folder, (const char *)name, i);
        load(path);
    }
    return NULL;
}

static void load_at_a_time(void)
{
    static char names[2][2] = {"a", "b"};
    pthread_t threads[2];
    pthread_attr_t small;
    CHECK(pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], &small, load_copies, names[i]) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 || argc == 3);
    errno = 77;
    load(argv[1]);
    CHECK(!dlopen("/nowhere/module.so", RTLD_NOW) && dlerror());
    folder = argv[2];
    if (folder)
        load_at_a_time();
    return 0;
}
