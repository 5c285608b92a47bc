/* closes.c FILE: a daemon that closes all descriptors it finds, then has its own file under all
 * numbers. That file must stay as it is, and the records must still come. */
#include "target.h"

#include <fcntl.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    struct stat s;
    CHECK(argc == 2);
    SI_BEGIN(1);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    int own = open(argv[1], O_RDWR | O_CREAT, 0600);
    CHECK(write(own, "mine", 4) == 4);
    while (dup(own) >= 0)
        ;
    for (int i = 0; i < 100000; i++) {
        VPROF_FUNCTION(1)
        if (i == 50000) /* and now there is room to open the trace again */
            for (int fd = 10; fd < 20; fd++)
                close(fd);
    }
    CHECK(fstat(own, &s) == 0 && s.st_size == 4);
    return 0;
}
