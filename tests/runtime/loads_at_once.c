/* loads_at_once.c MODULE: a redirected dlopen; the module's calls are recorded from the first on. */
#pragma redefine_extname dlopen vprof_dlopen_1
#include "target.h"

VPROF_REDIRECT_LOAD(dlopen)

#include <dlfcn.h>

int main(int argc, char **argv)
{
    int (*work)(int);
    CHECK(argc == 2);
    errno = 77;
    void *module = dlopen(argv[1], RTLD_NOW);
    CHECK(module && !dlopen("/nowhere/module.so", RTLD_NOW) && dlerror());
    *(void **)&work = dlsym(module, "module_work");
    return work(2) != 3;
}
