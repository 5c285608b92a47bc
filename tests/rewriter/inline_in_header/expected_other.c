#include "input.h"

extern inline int quarter(int n);

int other(int n)
{
    return half(n) + third(n);
}
