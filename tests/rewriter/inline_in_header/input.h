#ifndef INPUT_H
#define INPUT_H

#include <stdlib.h>

static inline int half(int n)
{
    return abs(n) / 2;
}

static inline __attribute__((always_inline)) int third(int n)
{
    return abs(n) / 3;
}

inline int quarter(int n)
{
    return abs(n) / 4;
}

int other(int n);

#endif
