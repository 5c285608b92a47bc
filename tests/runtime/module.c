/* module.c: loaded late by loads.c. */
#include "target.h"

int module_work(int a);
int module_work(int a)
{
    VPROF_FUNCTION(1)
    return a + 1;
}
