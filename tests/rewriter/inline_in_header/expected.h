#ifndef INPUT_H
#define INPUT_H

#include <stdlib.h>

static inline int half(int n)
{VPROF_FUNCTION(2)
    return __extension__({VPROF_FUNCTION(11) abs(n);}) / 2;
}

static inline __attribute__((always_inline)) int third(int n)
{VPROF_FUNCTION(3)
    return abs(n) / 3;
}

inline int quarter(int n)
{
    return abs(n) / 4;
}

int other(int n);

#endif
