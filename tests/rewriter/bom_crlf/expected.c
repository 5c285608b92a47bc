#include <stdio.h>

int main(void)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(2) puts("Grüße");}) <
           0;
}
