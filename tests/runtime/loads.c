/* loads.c MODULE: without notes itself, loads a module that has some, and forks. A thread's first
 * record allocates nothing, whatever keys the program has: it may be a handler's, within malloc. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int allocations;

#ifdef __GLIBC__
extern void *__libc_calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}
#endif

int main(int argc, char **argv)
{
    int (*work)(int), before;
    pthread_key_t key;
    for (int i = 0; i < 40; i++)
        if (pthread_key_create(&key, NULL) != 0)
            return 1;
    void *module = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!module)
        return 1;
    *(void **)&work = dlsym(module, "module_work");
    if (fork() == 0)
        exit(work(1) != 2);
    wait(NULL);
    before = allocations;
    return work(2) != 3 || allocations != before;
}
