/* killed.c FILE: records for ever on two threads, and after each record counts it in FILE. */
#include "target.h"

#include <fcntl.h>
#include <sys/mman.h>

static volatile unsigned long *counter;

static void *work(void *arg)
{
    volatile unsigned long *mine = arg;
    for (;;) {
        {
            VPROF_FUNCTION(1)
        }
        ++*mine;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    int fd = open(argv[1], O_RDWR);
    pthread_t t;
    counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(counter != MAP_FAILED);
    CHECK(pthread_create(&t, NULL, work, (void *)&counter[1]) == 0);
    work((void *)&counter[0]);
    return 0;
}
