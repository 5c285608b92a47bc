#include <stdlib.h>
#define NAME third
#include "input_text.h"

int other(int n)
{VPROF_FUNCTION(2)
    return third(n);
}
