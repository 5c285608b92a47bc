#include "vprof_api.h"
#include <stdio.h>
#include <stdlib.h>

#define REQUEST_DONE(r) SI_END(r)

static void begin(int *request)
{VPROF_FUNCTION(1)
    SI_BEGIN(request);
    SI_VALUE(request, "rows", __extension__({VPROF_FUNCTION(5) abs(-3);}));
}

static void only_value(int *request)
{VPROF_FUNCTION(2)
    SI_VALUE(request, "rows", 1);
    VPROF_ENQUEUE(request, __extension__({VPROF_FUNCTION(6) abs(*request);}));
}

static void done(int *request)
{VPROF_FUNCTION(3)
    REQUEST_DONE(request);
}

int main(void)
{VPROF_FUNCTION(4)
    int request = 1;
    SI_BEGIN_AS(__extension__({VPROF_FUNCTION(7) abs(-1);}), "other");
    begin(&request);
    only_value(&request);
    done(&request);
    return __extension__({VPROF_FUNCTION(11) puts("marked");}) < 0;
}
