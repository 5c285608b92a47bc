/* Included by input.c, and never linked by itself. */
#include <stdlib.h>

__attribute__((unused)) static int part(int n)
{VPROF_FUNCTION(3)
    return __extension__({VPROF_FUNCTION(11) abs(n);}) + 1;
}
