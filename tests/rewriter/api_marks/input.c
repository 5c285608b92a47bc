#include "vprof_api.h"
#include <stdio.h>
#include <stdlib.h>

#define REQUEST_DONE(r) SI_END(r)

static void begin(int *request)
{
    SI_BEGIN(request);
    SI_VALUE(request, "rows", abs(-3));
}

static void only_value(int *request)
{
    SI_VALUE(request, "rows", 1);
    VPROF_ENQUEUE(request, abs(*request));
}

static void done(int *request)
{
    REQUEST_DONE(request);
}

int main(void)
{
    int request = 1;
    SI_BEGIN_AS(abs(-1), "other");
    begin(&request);
    only_value(&request);
    done(&request);
    return puts("marked") < 0;
}
