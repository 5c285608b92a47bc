/* loads.c MODULE: without notes itself, loads a module that has some, and forks. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int (*work)(int);
    void *module = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!module)
        return 1;
    *(void **)&work = dlsym(module, "module_work");
    if (fork() == 0)
        exit(work(1) != 2);
    wait(NULL);
    return work(2) != 3;
}
