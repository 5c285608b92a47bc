/* attached.c YES|NO: is a runtime attached, and does the program run either way? */
#include "target.h"

static int work(int a)
{
    VPROF_FUNCTION(1)
    return a * 2;
}

int main(int argc, char **argv)
{
    int attached = vprof_hooks_1.mark != 0;
    SI_BEGIN(1);
    CHECK(work(2) == 4);
    SI_END(1);
    CHECK(argc > 1 && attached == (strcmp(argv[1], "yes") == 0));
    return 0;
}
