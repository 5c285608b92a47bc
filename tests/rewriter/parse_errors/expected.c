#include "there_is_no_such_header.h"
#include <stdio.h>

static int good(void)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(4) puts("good");});
}

unknown_type bad(int n)
{VPROF_FUNCTION(2)
    return __extension__({VPROF_FUNCTION(5) puts("bad");}) + __extension__({VPROF_FUNCTION(6) undeclared(n);});
}

int main(void)
{VPROF_FUNCTION(3)
    return good();
}
